internal import Accounts
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

    static let routes: [Route] = [
        route("/", label: "root", documentation: .startPage) { pages, request, _ throws(ActionError) in
            request.wantsHTML ? try await pages.start() : emulatorIsReady
        },
        route("/inbox", documentation: .page("inbox", "The mails that were not delivered.")) { pages, _, _ throws(ActionError) in
            try await pages.inbox()
        },
        route(
            "/inbox/messages.json", documentation: .file("inboxMessages", "The mails of the inbox, for tests.", .map(.anything))
        ) { pages, request, _ throws(ActionError) in try await pages.messages(request) },
        route("/inbox/{id}") { pages, request, id throws(ActionError) in try await pages.mail(id, request) },
        route("/inbox/{id}/html") { pages, request, id throws(ActionError) in try await pages.mailHTML(id, request) },
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
        return rest.isEmpty || rest == "/html" ? "/inbox/{id}" + rest : nil
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
                        accounts: accounts, mails: try await development.inbox.mails().count))))
    }

    private func inbox() async throws(ActionError) -> Response {
        let mails = try await development.inbox.mails()
        return .page(html: views.html(.inbox(try mails.map { (mail) throws(ActionError) in try shown(mail) }, brand: brand)))
    }

    private func mail(_ id: String, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await development.inbox.mail(id) else { return renderer.error(.notFound, PageContext(request)) }
        return .page(html: views.html(.mail(try shown(mail), brand: brand)), frames: true)
    }

    /// The HTML of a mail, for a frame: with its own styles, the project's logo and nothing else.
    private func mailHTML(_ id: String, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await development.inbox.mail(id) else { return renderer.error(.notFound, PageContext(request)) }
        var response = Response(.ok, "text/html; charset=utf-8", Array(try composed(mail).html.utf8))
        response.headers[.xFrameOptions] = "SAMEORIGIN"
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'unsafe-inline'; img-src \(origin.origin); base-uri 'none'; form-action 'none'; \
            frame-ancestors 'self'
            """
        return response
    }

    /// The mails as JSON, newest first. With `wait=<seconds>` (at most 60) and `after=<count>`,
    /// responds as soon as there are more than `count` mails.
    private func messages(_ request: Request) async throws(ActionError) -> Response {
        if let wait = request["wait"].flatMap({ Int($0) }) {
            let known = try await development.inbox.mails().count
            await development.inbox.wait(
                untilMoreThan: request["after"].flatMap { Int($0) }.map { min(max($0, 0), 10_000) } ?? known,
                for: .seconds(min(max(wait, 0), 60)))
        }
        let mails = try await development.inbox.mails()
        return .json(.ok, .object(["messages": .array(try mails.map { (mail) throws(ActionError) in try json(mail) })]))
    }

    /// The words that the mail would have if it were sent now.
    private func composed(_ mail: StoredMail) throws(ActionError) -> ComposedLetter {
        guard let project = projects.value[mail.project] else { throw .refused(.projectNotFound) }
        return development.compose(try outbox.open(mail), project)
    }

    private func json(_ mail: StoredMail) throws(ActionError) -> JSON {
        let words = try composed(mail)
        return .object([
            "id": .string(mail.id), "to": .string(mail.recipient.value), "kind": .string(mail.kind.rawValue),
            "project": .string(mail.project.rawValue), "language": .string(mail.language),
            "createdAt": .string(String(mail.createdAt.milliseconds)), "subject": .string(words.subject), "text": .string(words.text),
            "html": .string(words.html), "link": words.link.map { .string($0) },
            "senderDisplayName": .string(ifAny: words.letterhead?.senderDisplayName),
            "senderLocalPart": .string(ifAny: words.letterhead?.senderLocalPart), "replyTo": .string(ifAny: words.letterhead?.replyTo),
        ])
    }

    private func shown(_ mail: StoredMail) throws(ActionError) -> DevMail {
        let words = try composed(mail)
        let head = words.letterhead
        let own = [("From", head?.from), ("Reply-To", head?.replyTo)].compactMap { name, value in value.map { (name, $0) } }
        let headers =
            own + [
                ("To", mail.recipient.value), ("Subject", words.subject), ("Content-Language", mail.language),
                ("Message-ID", "<\(mail.id)@onward>"),
                ("X-Onward-Kind", mail.kind.rawValue), ("X-Onward-Project", mail.project.rawValue),
            ]
        return DevMail(
            id: mail.id, recipient: mail.recipient.value, subject: words.subject, kind: mail.kind.rawValue, sent: Date(mail.createdAt),
            text: words.text, headers: headers.map { Form.Field($0.0, $0.1) }, link: words.link)
    }
}

extension Letterhead {
    /// The sender as far as the project configures it; the domain is the server's.
    fileprivate var from: String? {
        let parts = [senderDisplayName, senderLocalPart.map { "<\($0)@>" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
