internal import Accounts
internal import AppLinks
internal import Base

extension APIMethod {
    static let linkStats = APIMethod(
        "linkStats", source: .shortLinkAndQuery, requiresAdmin: true, permissions: [.read], needsAccounts: false, errorStyle: .canonical,
        documentation: MethodDocumentation(
            summary: "The visits of a short link in the last days, today (UTC) included; those of the last seconds may be missing.",
            adminFields: [
                Property("shortLink", .text), Property("durationDays", .int64, "1 to 800. Required."),
                Property("targetProjectId", .text, "The project, for an admin key of several."),
            ],
            response: [
                .always(
                    "linkEventStats",
                    .list(
                        .object([
                            .always("platform", .choice(ShortLinkVisit.DeviceKind.allCases.map(\.rawValue))),
                            .always("count", .int64),
                            .always(
                                "event", .choice(ShortLinkVisit.Event.allCases.map(\.rawValue)),
                                "`CLICK`: opened in a browser, not in the app. `REDIRECT`: sent on at once, without a page."),
                        ])))
            ]),
        run: { (call) throws(ActionError) in try await call.linkStats() })
}

extension Call {
    /// `{shortLink}/linkStats`: the visits of a short link.
    func linkStats() async throws(ActionError) -> JSON {
        guard let days = try body.integer("durationDays"), (1...800).contains(days) else {
            throw .refused(.invalidArgument, detail: "durationDays must be from 1 to 800.")
        }
        let link = try body.text("shortLink").flatMap { try? WebURL($0) }
        guard let link, let path = ShortLinkPath(link.path), project.linkDomains.contains(where: { $0.covers(link) }),
            let counts = try await accounts.shortLinks.counts(at: path, on: link.origin, in: project, days: Int(days))
        else {
            throw .refused(
                .invalidArgument,
                detail: "The project has no such short link. Send the whole link, percent-encoded, as in /v1/https%3A%2F%2F…")
        }
        return .object([
            "linkEventStats": .array(
                counts.map {
                    .object([
                        "platform": .string($0.platform.rawValue), "count": .string(String($0.count)), "event": .string($0.event.rawValue),
                    ])
                })
        ])
    }
}

extension Request {
    static let linkStatsTemplate = linkStatsStart + "{shortLink}" + linkStatsEnd
    private static let (linkStatsStart, linkStatsEnd) = ("/v1/", "/linkStats")

    /// The template of the path; nil for another path.
    static func linkStatsTemplate(of path: String) -> String? { encodedShortLink(in: path) == nil ? nil : linkStatsTemplate }

    /// The short link that the path names, decoded.
    var shortLinkInPath: String? { Self.encodedShortLink(in: path).flatMap { WebURL.formItems(in: "link=" + $0).first?.value } }

    private static func encodedShortLink(in path: String) -> Substring? {
        guard path.hasPrefix(linkStatsStart), path.hasSuffix(linkStatsEnd) else { return nil }
        let link = path.dropFirst(linkStatsStart.count).dropLast(linkStatsEnd.count)
        return link.isEmpty || link.contains("/") ? nil : link
    }
}
