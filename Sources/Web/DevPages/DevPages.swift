internal import Accounts
internal import AppLinks
internal import EmailActions
internal import Foundation
internal import HTTPTypes
internal import JSON
internal import Views
internal import WebURL

/// The start page and the inbox of `onward dev`.
struct DevPages: Sendable {
    let development: Site.Development
    let origin: WebURL
    /// Opens the sealed mails of the inbox.
    let outbox: Outbox
    let projects: CurrentProjects
    let views: Views
    let brand: Brand
    let renderer: PageRenderer
    let crossOrigin: CrossOrigin

    static let routes: [Route] = [
        route("/", label: "root", documentation: .startPage) { pages, request, _ throws(ActionError) in
            request.wantsHTML ? try await pages.start() : pages.shared(emulatorIsReady, request)
        },
        route("/inbox", documentation: .page("inbox", "The mails that apps asked for.", parameters: ["to", "kind"])) {
            pages, request, _ throws(ActionError) in try await pages.inbox(request)
        },
        route(
            "/inbox/messages.json",
            documentation: .file(
                "inboxMessages", "The mails of the inbox, for tests.", .map(.anything),
                parameters: [
                    Property("to", .text, "Only mails to this address."),
                    Property("kind", .choice(LetterKind.allCases.map(\.rawValue)), "Only mails of this kind."),
                    Property("wait", .integer, "Seconds, at most 60, to wait for a mail that is not there yet."),
                    Property("after", .integer, "Wait until there are more than this number of these mails. Default: those of now."),
                ])
        ) { pages, request, _ in await pages.sharedMessages(request) },
        route("/inbox/{id}") { pages, request, id throws(ActionError) in try await pages.mail(id, request) },
        route("/inbox/{id}/html") { pages, request, id throws(ActionError) in try await pages.mailHTML(id, request) },
        route("/inbox/{id}/source") { pages, request, id throws(ActionError) in try await pages.mailSource(id, request) },
    ]

    private static func route(
        _ path: String, label: String = "inbox", documentation: RouteDocumentation? = nil,
        _ page: @escaping @Sendable (DevPages, Request, _ id: String) async throws(ActionError) -> Response
    ) -> Route {
        Route(
            .read, path, label: RouteLabel(label, .page), isDevelopmentOnly: true, documentation: documentation,
            handler: .page { site, request in
                guard let pages = site.devPages else { return nil }
                do throws(ActionError) {
                    return try await page(pages, request, id(in: request.path) ?? "")
                } catch { return pages.renderer.error(.failed(error), PageContext(request)) }
            })
    }

    private static func id(in path: String) -> String? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return segments.count >= 3 && segments[1] == "inbox" ? String(segments[2]) : nil
    }

    /// The template of a path below the inbox; nil for every other path.
    static func template(of path: String) -> String? {
        guard path.hasPrefix("/inbox/"), let id = id(in: path) else { return nil }
        let rest = path.dropFirst("/inbox/".count + id.count)
        return ["", "/html", "/source"].contains(rest) ? "/inbox/{id}" + rest : nil
    }

    /// The response that scripts wait for after they started the Auth emulator.
    private static let emulatorIsReady = Response.json(
        .ok, .object(["authEmulator": .object(["ready": .bool(true), "docs": "/openapi.json", "apiSpec": "/openapi.json"])]))

    private func start() async throws(ActionError) -> Response {
        let accounts = development.sampleAccounts.map { DevStart.SampleAccount(address: $0.email.value, password: $0.password) }
        return .page(
            html: views.html(
                .start(
                    DevStart(
                        brand: brand, origin: origin.origin, project: development.project.rawValue, apiKey: development.apiKey,
                        accounts: accounts, mails: try await development.inbox.mails(.all).count))))
    }

    private func inbox(_ request: Request) async throws(ActionError) -> Response {
        let filter = try MailFilter(request)
        let mails = try await development.inbox.mails(filter)
        let names = [filter.recipient?.value, filter.kind?.rawValue].compactMap(\.self)
        let only = names.isEmpty ? nil : names.joined(separator: ", ")
        let texts = only == nil ? await development.inbox.textMessages() : []
        return .page(
            html: views.html(
                .inbox(
                    try mails.map { (mail) throws(ActionError) in try shown(mail) },
                    texts: texts.map { DevText(recipient: $0.number.value, text: $0.text, sent: Date($0.sentAt)) }, only: only,
                    brand: brand)))
    }

    /// A mail in the tab that the query asks for, by default as HTML.
    private func mail(_ id: String, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await mail(of: id) else { return renderer.error(.notFound, PageContext(request)) }
        let tab = request["as"].flatMap { DevMail.Tab(rawValue: $0) } ?? .html
        let text: String? =
            switch tab {
            case .html: nil
            case .text: try composed(mail).text
            case .source: String(decoding: try message(mail), as: UTF8.self)
            case .headers: String(decoding: try message(mail), as: UTF8.self).unfoldedHeader
            }
        var shown = try shown(mail)
        let project = try project(of: mail)
        shown.decisions = shown.link.flatMap { project.decisions(on: $0) }
        return .page(html: views.html(.mail(shown, tab, text: text, brand: brand)), frames: tab == .html)
    }

    /// The message that a relay would get, for tests and mail programs.
    private func mailSource(_ id: String, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await mail(of: id) else { return renderer.error(.notFound, PageContext(request)) }
        return Response(.ok, "message/rfc822", try message(mail))
    }

    /// The HTML of a mail, for a frame: with its own styles, the project's logo and nothing else.
    private func mailHTML(_ id: String, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await mail(of: id) else { return renderer.error(.notFound, PageContext(request)) }
        var response = Response(.ok, "text/html; charset=utf-8", Array(try composed(mail).html.utf8))
        response.headers[.xFrameOptions] = "SAMEORIGIN"
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'unsafe-inline'; img-src \(origin.origin); base-uri 'none'; form-action 'none'; \
            frame-ancestors 'self'
            """
        return response
    }

    /// The mails as JSON, for pages of this machine and of the projects too (V8).
    private func sharedMessages(_ request: Request) async -> Response {
        guard !crossOrigin.isForeign(request) else { return ErrorReport(.foreignOrigin, at: renderer.now()).json }
        var response = await messages(request)
        crossOrigin.share(&response, with: request, isForeign: false)
        return response
    }

    /// The mails as JSON, newest first. With `wait=<seconds>` (at most 60) and `after=<count>`,
    /// responds as soon as there are more than `count` mails that the filter admits.
    private func messages(_ request: Request) async -> Response {
        do throws(ActionError) {
            let filter = try MailFilter(request)
            if let wait = request["wait"].flatMap({ Int($0) }) {
                let known = try await development.inbox.mails(filter).count
                await development.inbox.wait(
                    untilMoreThan: request["after"].flatMap { Int($0) }.map { min(max($0, 0), 10_000) } ?? known, filter,
                    for: .seconds(min(max(wait, 0), 60)))
            }
            let mails = try await development.inbox.mails(filter)
            return .json(.ok, .object(["messages": .array(try mails.map { (mail) throws(ActionError) in try json(mail) })]))
        } catch { return ErrorReport(.failed(error), at: renderer.now()).json }
    }

    private func mail(of id: String) async throws(ActionError) -> StoredMail? {
        guard let id = MailID(id) else { return nil }
        return try await development.inbox.mail(id)
    }

    private func project(of mail: StoredMail) throws(ActionError) -> Project {
        guard let project = projects.value[mail.project] else { throw .refused(.projectNotFound) }
        return project
    }

    /// The words that the mail would have if it were sent now.
    private func composed(_ mail: StoredMail) throws(ActionError) -> ComposedLetter {
        development.compose(try outbox.open(mail), try project(of: mail))
    }

    private func message(_ mail: StoredMail) throws(ActionError) -> [UInt8] {
        development.encode(mail, try composed(mail), try project(of: mail))
    }

    private func json(_ mail: StoredMail) throws(ActionError) -> JSON {
        let words = try composed(mail)
        return .object([
            "id": .string(mail.id.description), "to": .string(mail.recipient.value), "kind": .string(mail.kind.rawValue),
            "project": .string(mail.project.rawValue), "language": .string(mail.language),
            "createdAt": .string(String(mail.createdAt.milliseconds)), "subject": .string(words.subject), "text": .string(words.text),
            "html": .string(words.html), "link": words.link.map { .string($0) },
            "confirmationNumber": .string(ifAny: words.number),
            "senderDisplayName": .string(ifAny: words.letterhead?.senderDisplayName),
            "senderLocalPart": .string(ifAny: words.letterhead?.senderLocalPart), "replyTo": .string(ifAny: words.letterhead?.replyTo),
        ])
    }

    private func shown(_ mail: StoredMail) throws(ActionError) -> DevMail {
        let words = try composed(mail)
        return DevMail(
            id: mail.id.description, recipient: mail.recipient.value, inbox: "/inbox?to=\(WebURL.percentEncoded(mail.recipient.value))",
            subject: words.subject, kind: mail.kind.rawValue, project: mail.project.rawValue, sent: Date(mail.createdAt), link: words.link)
    }
}

extension Project {
    /// The decision about a mailed link on each device; nil if it is not an app link.
    fileprivate func decisions(on link: String) -> LinkExplanation.Decisions? {
        guard let url = try? WebURL(link), self.linkDomains.contains(where: { $0.covers(url) }) else { return nil }
        do throws(AppLinkRefusal) { return LinkExplanation.Decisions(try self.approve(appLink: link)) } catch {
            return .refused(error.explanation)
        }
    }
}

extension String {
    /// The header of a message with each field on one line.
    fileprivate var unfoldedHeader: String {
        String(self[..<(firstRange(of: "\r\n\r\n")?.lowerBound ?? endIndex)])
            .replacing(#/\r\n(?=[ \t])/#, with: "").replacing("\r\n", with: "\n")
    }
}
