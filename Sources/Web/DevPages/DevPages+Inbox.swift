internal import Accounts
internal import AppLinks
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Views

/// The inbox: the mails that were asked for, sent or not.
extension DevPages {
    static let inboxRoutes: [Route] = [
        route("/inbox", documentation: .page("inbox", "The mails that apps asked for.", parameters: ["to", "kind", "q"])) {
            pages, request throws(ActionError) in try await pages.inbox(request)
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
        ) { pages, request in await pages.sharedMessages(request) },
        route(
            "/inbox/events.json",
            documentation: .file("inboxEvents", "The newest events of accounts, as back ends get them.", .map(.anything))
        ) { pages, request in await pages.sharedEvents(request) },
        // What the page of the inbox asks for every few seconds.
        route("/inbox/version.txt", label: RouteLabel.inboxVersion.name) { pages, _ throws(ActionError) in
            .text(.ok, try await pages.development.inbox.version())
        },
        form("/inbox/delete", label: "inbox") { pages, _, form throws(ActionError) in try await pages.delete(form) },
        route("/inbox/{id}") { pages, request throws(ActionError) in try await pages.mail(request) },
        route("/inbox/{id}/html") { pages, request throws(ActionError) in try await pages.mailHTML(request) },
        route("/inbox/{id}/source") { pages, request throws(ActionError) in try await pages.mailSource(request) },
    ]

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

    /// The number of events on the page.
    private static let shownEvents = 20

    private func inbox(_ request: Request) async throws(ActionError) -> Response {
        let filter = try MailFilter(request)
        let search = request["q"]?.trimmed ?? ""
        var page = DevInbox(
            brand: brand, mails: try await mails(filter, search), kinds: LetterKind.allCases.map(\.rawValue), at: Date(renderer.now()),
            version: try await development.inbox.version())
        (page.search, page.recipient, page.kind) = (search, filter.recipient?.value, filter.kind?.rawValue)
        if filter == .all, search.isEmpty {
            page.texts = await development.inbox.textMessages()
            page.events = try await development.inbox.events().prefix(Self.shownEvents).map { DevEvent($0) }
        }
        return response(.inbox(page))
    }

    /// The mails that a filter admits and whose subject or recipient contains the words.
    private func mails(_ filter: MailFilter, _ search: String) async throws(ActionError) -> [DevMail] {
        let words = search.lowercased()
        return try await development.inbox.mails(filter).map { (mail) throws(ActionError) in try shown(mail) }
            .filter { mail in words.isEmpty || [mail.subject, mail.mail.recipient.value].contains { $0.lowercased().contains(words) } }
    }

    /// Deletes the mail that a form names, or else all that its filter shows.
    private func delete(_ form: DevForm) async throws(ActionError) -> Response {
        if let id = form["id"] {
            guard let id = MailID(id) else { return .seeOther("/inbox") }
            try await development.inbox.deleteMails([id])
        } else {
            let shown = try await mails(MailFilter(to: form["to"], kind: form["kind"]), form["q"]?.trimmed ?? "")
            try await development.inbox.deleteMails(shown.map(\.mail.id))
        }
        return .seeOther("/inbox")
    }

    /// A mail in the tab that the query asks for, by default as HTML.
    private func mail(_ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await storedMail(request) else { return notFound(request) }
        let tab = request["as"].flatMap { DevMail.Tab(rawValue: $0) } ?? .html
        let text: String? =
            switch tab {
            case .html, .phone: nil
            case .text: try composed(mail).words.text
            case .source: String(decoding: try message(mail), as: UTF8.self)
            case .headers: String(decoding: try message(mail), as: UTF8.self).unfoldedHeader
            }
        var shown = try shown(mail)
        if let link = shown.link { shown.decisions = try project(of: mail).decisions(on: link) }
        return response(.mail(shown, tab, text: text, brand: brand, at: Date(renderer.now())), hasFrame: tab.isPreview)
    }

    /// The message as a relay would get it, for mail programs.
    private func mailSource(_ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await storedMail(request) else { return notFound(request) }
        return Response(.ok, "message/rfc822", try message(mail))
    }

    /// The HTML of a mail, for a frame: with its own styles, the project's logo and nothing else.
    private func mailHTML(_ request: Request) async throws(ActionError) -> Response {
        guard let mail = try await storedMail(request) else { return notFound(request) }
        let html = Self.withLinksInNewTabs(try composed(mail).words.html)
        var response = Response(.ok, "text/html; charset=utf-8", Array(html.utf8))
        response.headers[.xFrameOptions] = "SAMEORIGIN"
        // The logo has the announced origin, even if the page was reached by another name.
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; style-src 'unsafe-inline'; img-src \(origin.origin); base-uri 'none'; form-action 'none'; \
            frame-ancestors 'self'
            """
        return response
    }

    /// A document for a sandboxed frame, which may not leave it: its links open in a new tab.
    static func withLinksInNewTabs(_ html: String) -> String {
        html.replacing(beginOfDocument, maxReplacements: 1) { $0.output + "<base target=\"_blank\">" }
    }

    /// The start of a document up to the content of its head. Templates of projects may lack each
    /// part.
    private static var beginOfDocument: Regex<Substring> {
        #/^\s*(?:<!doctype[^>]*>)?\s*(?:<html[^>]*>)?\s*(?:<head[^>]*>)?/#.ignoresCase()
    }

    /// The mails as JSON, for pages of this machine and of the projects too (V8).
    private func sharedMessages(_ request: Request) async -> Response {
        guard !crossOrigin.isForeign(request) else { return ErrorReport(.foreignOrigin, at: renderer.now()).json }
        var response = await messages(request)
        crossOrigin.share(&response, with: request, isForeign: false)
        return response
    }

    /// The events as JSON, newest first, for the same pages.
    private func sharedEvents(_ request: Request) async -> Response {
        guard !crossOrigin.isForeign(request) else { return ErrorReport(.foreignOrigin, at: renderer.now()).json }
        var response: Response
        do throws(ActionError) {
            response = .json(.ok, .object(["events": .array(try await development.inbox.events().map(\.json))]))
        } catch { response = ErrorReport(.failed(error), at: renderer.now()).json }
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

    private func storedMail(_ request: Request) async throws(ActionError) -> StoredMail? {
        guard let id = Self.id(in: request.path).flatMap({ MailID($0) }) else { return nil }
        return try await development.inbox.mail(id)
    }

    private func project(of mail: StoredMail) throws(ActionError) -> Project {
        guard let project = projects.value[mail.project] else { throw .refused(.projectNotFound) }
        return project
    }

    /// The letter, and the words that it would have if it were sent now.
    private func composed(_ mail: StoredMail) throws(ActionError) -> (letter: Letter, words: RenderedMail) {
        let letter = try outbox.open(mail)
        return (letter, try development.compose(letter, try project(of: mail)))
    }

    private func message(_ mail: StoredMail) throws(ActionError) -> [UInt8] {
        let (letter, words) = try composed(mail)
        return development.encode(letter, mail.id, words, try project(of: mail))
    }

    private func json(_ mail: StoredMail) throws(ActionError) -> JSON {
        let (letter, words) = try composed(mail)
        let head = try project(of: mail).templates[mail.kind]?.letterhead
        return .object([
            "id": .string(mail.id.description), "to": .string(mail.recipient.value), "kind": .string(mail.kind.rawValue),
            "project": .string(projects.value.name(of: mail.project).rawValue), "language": .string(mail.language),
            "createdAt": .string(String(mail.createdAt.milliseconds)), "subject": .string(words.subject), "text": .string(words.text),
            "html": .string(words.html), "link": .string(ifAny: letter.link),
            "confirmationNumber": .string(ifAny: letter.confirmationNumber),
            "senderDisplayName": .string(ifAny: head?.senderDisplayName), "senderLocalPart": .string(ifAny: head?.senderLocalPart),
            "replyTo": .string(ifAny: head?.replyTo),
        ])
    }

    private func shown(_ mail: StoredMail) throws(ActionError) -> DevMail {
        let (letter, words) = try composed(mail)
        return DevMail(mail, subject: words.subject, link: letter.link, project: projects.value.name(of: mail.project))
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
