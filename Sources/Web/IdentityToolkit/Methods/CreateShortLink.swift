internal import Accounts
internal import AppLinks
internal import Base

extension APIMethod {
    static let createShortLink = APIMethod(
        "createShortLink", needsAccounts: false, errorStyle: .canonical,
        documentation: MethodDocumentation(
            summary: "Stores a long link under a short one on a link domain of the project, as Firebase Dynamic Links did.",
            fields: [
                Property("longDynamicLink", .text, "A link as Docs/AppLinks.md describes it; this, or `dynamicLinkInfo`."),
                Property("dynamicLinkInfo", .object(linkInfo)),
                Property(
                    "suffix",
                    .object([
                        Property(
                            "option", .choice(suffixOptions),
                            "`UNGUESSABLE` by default. `CUSTOM` is for admins."),
                        Property("customSuffix", .text),
                    ])),
            ],
            response: [
                .always("shortLink", .text), .always("previewLink", .text, "The short link with `d=1`."),
                Property(
                    "warning",
                    .list(
                        .object([
                            .always("warningCode", .choice(ShortLinkWarning.Code.allCases.map(\.rawValue))),
                            .always("warningMessage", .text),
                        ]))),
            ]),
        run: { (call) throws(ActionError) in try await call.createShortLink() })

    fileprivate static let suffixOptions = ["OPTION_UNSPECIFIED", "UNGUESSABLE", "SHORT", "CUSTOM"]

    /// Source: `DynamicLinkInfo` of the Firebase Dynamic Links API.
    private static let linkInfo: [Property] = [
        Property("domainUriPrefix", .text, "`https://` and a link domain; admins may add a path."),
        Property("dynamicLinkDomain", .text, "The older name: a link domain."), Property("link", .text),
        Property(
            "androidInfo",
            .object(["androidPackageName", "androidFallbackLink", "androidMinPackageVersionCode"].map { Property($0, .text) })),
        Property(
            "iosInfo",
            .object(
                [
                    "iosBundleId", "iosFallbackLink", "iosCustomScheme", "iosIpadFallbackLink", "iosIpadBundleId", "iosAppStoreId",
                    "iosMinimumVersion",
                ].map { Property($0, .text) })),
        Property("navigationInfo", .object([Property("enableForcedRedirect", .flag)])),
        Property("desktopInfo", .object([Property("desktopFallbackLink", .text)])),
        Property(
            "analyticsInfo",
            .object([
                Property(
                    "googlePlayAnalytics",
                    .object(["utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent", "gclid"].map { Property($0, .text) })),
                Property("itunesConnectAnalytics", .object(["at", "ct", "mt", "pt"].map { Property($0, .text) })),
            ])),
        Property(
            "socialMetaTagInfo",
            .object(["socialTitle", "socialDescription", "socialImageLink"].map { Property($0, .text) }),
            "Shown in previews, if an admin creates the link."),
    ]
}

extension Call {
    /// `shortLinks`: stores a long link under a short one.
    func createShortLink() async throws(ActionError) -> JSON {
        guard caller.isAdmin || project.shortLinks.byAPIKey else {
            throw .refused(
                .insufficientPermission,
                detail: "API keys may not create short links. Send an admin key, or set shortLinks.byAPIKey of the project to true.")
        }
        return try await counted(by: [.shortLink]) { () throws(ActionError) in try await storeShortLink() }
    }

    private func storeShortLink() async throws(ActionError) -> JSON {
        let longLink =
            if let text = try body.text("longDynamicLink") { text } else { try body.object("dynamicLinkInfo").map(longLink) ?? nil }
        guard let longLink else { throw .refused(.invalidArgument, detail: "Send longDynamicLink or dynamicLinkInfo.") }
        let proposal: ShortLinkProposal
        do { proposal = try project.propose(shortLinkTo: longLink, at: accounts.now(), byClient: !caller.isAdmin) } catch {
            throw .refused(.invalidArgument, detail: error.explanation)
        }
        let created = try await create(proposal)
        return .object([
            "shortLink": .string(created.url), "previewLink": .string(created.url + "?d=1"),
            "warning": proposal.warnings.isEmpty
                ? nil
                : .array(
                    proposal.warnings.map {
                        .object(["warningCode": .string($0.code.rawValue), "warningMessage": .string($0.message)])
                    }),
        ])
    }

    private func create(_ proposal: ShortLinkProposal) async throws(ActionError) -> ShortLink {
        let suffix = try body.object("suffix")
        let option = try suffix?.choice("option", of: APIMethod.suffixOptions)
        guard option == "CUSTOM" else {
            return try await accounts.shortLinks.create(
                proposal, suffix: option.flatMap(ShortLinkSuffix.init) ?? .unguessable,
                maxByClients: caller.isAdmin ? nil : project.shortLinks.maxByAPIKey)
        }
        guard caller.isAdmin else { throw .refused(.insufficientPermission, detail: "Only admins choose a suffix.") }
        let path = try suffix?.text("customSuffix").flatMap { ShortLinkPath(proposal.prefix + "/" + $0) }
        guard let path else { throw .refused(.invalidArgument, detail: "customSuffix: " + ShortLinkRefusal.path.explanation) }
        return try await accounts.shortLinks.create(proposal, at: path)
    }

    /// The long link that a `DynamicLinkInfo` describes.
    private func longLink(_ info: JSONFields) throws(ActionError) -> String {
        let domain = try info.text("dynamicLinkDomain").map { "https://" + $0 }
        guard let base = try info.text("domainUriPrefix") ?? domain else {
            throw .refused(.invalidArgument, detail: "Name the link domain in dynamicLinkInfo.domainUriPrefix.")
        }
        let (android, apple) = (try info.object("androidInfo"), try info.object("iosInfo"))
        let (social, analytics) = (try info.object("socialMetaTagInfo"), try info.object("analyticsInfo"))
        let (play, store) = (try analytics?.object("googlePlayAnalytics"), try analytics?.object("itunesConnectAnalytics"))
        let isForced = try info.object("navigationInfo")?.bool("enableForcedRedirect") ?? false
        let values: [(AppLink.Parameter, String?)] = [
            (.link, try info.text("link")), (.apn, try android?.text("androidPackageName")),
            (.amv, try android?.text("androidMinPackageVersionCode")), (.afl, try android?.text("androidFallbackLink")),
            (.ibi, try apple?.text("iosBundleId")), (.isi, try apple?.text("iosAppStoreId")),
            (.ius, try apple?.text("iosCustomScheme")), (.imv, try apple?.text("iosMinimumVersion")),
            (.ifl, try apple?.text("iosFallbackLink")), (.ipbi, try apple?.text("iosIpadBundleId")),
            (.ipfl, try apple?.text("iosIpadFallbackLink")),
            (.ofl, try info.object("desktopInfo")?.text("desktopFallbackLink")), (.efr, isForced ? "1" : nil),
            (.st, try social?.text("socialTitle")), (.sd, try social?.text("socialDescription")),
            (.si, try social?.text("socialImageLink")), (.utmSource, try play?.text("utmSource")),
            (.utmMedium, try play?.text("utmMedium")), (.utmCampaign, try play?.text("utmCampaign")),
            (.utmTerm, try play?.text("utmTerm")), (.utmContent, try play?.text("utmContent")), (.gclid, try play?.text("gclid")),
            (.at, try store?.text("at")), (.ct, try store?.text("ct")), (.mt, try store?.text("mt")), (.pt, try store?.text("pt")),
        ]
        return AppLink.text(on: base, values)
    }
}
