internal import Accounts
internal import EmailActions
internal import Foundation
internal import HTTPTypes
internal import JSON
internal import Views
internal import WebURL

extension Site {
    /// The start page and the inbox of `onward dev`. Nil in `serve`, and for other addresses.
    func developmentPage(_ request: Request) async -> Response? {
        guard case .development(let development) = mode else { return nil }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        do {
            switch (parts.first, parts.dropFirst().first, parts.dropFirst(2).joined(separator: "/")) {
            case ("", nil, ""):
                return try await onlyRead(request) { () throws(ActionError) in
                    request.wantsHTML ? try await start(development) : Self.emulatorIsReady
                }
            case ("inbox", nil, ""): return try await onlyRead(request) { () throws(ActionError) in try await inbox(development) }
            case ("inbox", "messages.json", ""):
                return try await onlyRead(request) { () throws(ActionError) in try await messages(request, development) }
            case ("inbox", let id?, ""):
                return try await onlyRead(request) { () throws(ActionError) in try await mail(id, development, request) }
            case ("inbox", let id?, "html"):
                return try await onlyRead(request) { () throws(ActionError) in try await mailHTML(id, development, request) }
            default: return nil
            }
        } catch { return failure(error, PageContext(request)) }
    }

    private func onlyRead(
        _ request: Request, _ page: () async throws(ActionError) -> Response
    ) async throws(ActionError) -> Response {
        request.isRead ? try await page() : .methodNotAllowed("GET, HEAD")
    }

    private var sample: Brand { brands.standard }

    /// What scripts wait for that start the Auth emulator.
    private static let emulatorIsReady = Response.json(
        .ok, .object(["authEmulator": .object(["ready": .bool(true), "docs": "/openapi.json", "apiSpec": "/openapi.json"])]))

    private func start(_ development: Development) async throws(ActionError) -> Response {
        let accounts = development.sampleAccounts.map { DevStart.Account(address: $0.email.value, password: $0.password) }
        return .page(
            html: views.html(
                .start(
                    DevStart(
                        brand: sample, origin: origin.origin, project: development.project.rawValue, apiKey: development.apiKey,
                        accounts: accounts, mails: try await development.inbox.mails().count))))
    }

    private func inbox(_ development: Development) async throws(ActionError) -> Response {
        let mails = try await development.inbox.mails()
        return .page(html: views.html(.inbox(try mails.map { (mail) throws(ActionError) in try shown(mail) }, brand: sample)))
    }

    private func mail(_ id: String, _ development: Development, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await development.inbox.mail(id) else { return trouble(.init(.notFound), .notFound, PageContext(request)) }
        return .page(html: views.html(.mail(try shown(mail), brand: sample)), frames: true)
    }

    /// The mail as a mail program would show it: in a frame of its own, with its own styles and nothing else.
    private func mailHTML(_ id: String, _ development: Development, _ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await development.inbox.mail(id) else { return trouble(.init(.notFound), .notFound, PageContext(request)) }
        var answer = Response(.ok, "text/html; charset=utf-8", Array(try actions.outbox.open(mail).html.utf8))
        answer.headers[.xFrameOptions] = "SAMEORIGIN"
        answer.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
        return answer
    }

    /// Newest first; with `wait=<seconds>` (at most 60) and `after=<count>` it waits until there are more than `count`.
    private func messages(_ request: Request, _ development: Development) async throws(ActionError) -> Response {
        if let wait = request["wait"].flatMap({ Int($0) }) {
            let known = try await development.inbox.mails().count
            await development.inbox.wait(
                untilMoreThan: request["after"].flatMap { Int($0) }.map { min(max($0, 0), 10_000) } ?? known,
                for: .seconds(min(max(wait, 0), 60)))
        }
        let mails = try await development.inbox.mails()
        return .json(.ok, .object(["messages": .array(try mails.map { (mail) throws(ActionError) in try json(mail) })]))
    }

    private func json(_ mail: StoredMail) throws(ActionError) -> JSON {
        let words = try actions.outbox.open(mail)
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
        let words = try actions.outbox.open(mail)
        let head = words.letterhead
        let own = [("From", head?.from), ("Reply-To", head?.replyTo)].compactMap { name, value in value.map { (name, $0) } }
        let headers =
            own + [
                ("To", mail.recipient.value), ("Subject", words.subject), ("Content-Language", mail.language),
                ("Message-ID", "<\(mail.id)@onward>"),
                ("X-Onward-Kind", mail.kind.rawValue), ("X-Onward-Project", mail.project.rawValue),
            ]
        return DevMail(
            id: mail.id, recipient: mail.recipient.value, subject: words.subject, kind: mail.kind.rawValue, sent: date(mail.createdAt),
            text: words.text, headers: headers.map { Form.Field($0.0, $0.1) }, link: words.link)
    }
}

extension Letterhead {
    /// As far as the project says it: the domain is the server's.
    fileprivate var from: String? {
        let parts = [senderDisplayName, senderLocalPart.map { "<\($0)@>" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
