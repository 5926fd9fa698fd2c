import Accounts
import Foundation
import Testing
@testable import Mail
@testable import Views

/// Every kind of letter in every language: with the shipped words, with files and with what admins
/// set. Each is encoded, read by Python's `email` package, and compared.
@Suite struct `Every mail` {
    struct Case: Sendable {
        let name: String
        let letter: Letter
        let composed: RenderedMail
    }

    let mails: ProjectMails

    init() throws { mails = try ProjectMails() }

    /// A document that has every name of a kind of letter.
    private static func document(for kind: LetterKind) -> String {
        let isAction = kind.action != nil
        let scope = kind.scope
        let names = MailName.allCases.filter {
            scope.has($0) && ![.link, .facts, .label, .value].contains($0) && !$0.isColour
                && ![.logo, .logoWidth, .logoHeight].contains($0)
        }
        return """
            <!doctype html>
            <html lang="{{language}}" dir="{{direction}}">
            <head><meta charset="utf-8"><title>{{subject}}</title><style>a { color: {{accentDark}} }</style></head>
            <body style="text-align:{{start}}">{{#logo}}<img src="{{logo}}" width="{{logoWidth}}" height="{{logoHeight}}" alt="%APP_NAME%">{{/logo}}
            <ul>{{#facts}}<li>{{label}}: {{value}}</li>{{/facts}}</ul>
            \(names.map { "<p>{{\($0)}}</p>" }.joined(separator: "\n"))
            \(isAction ? "<p><a href=\"%LINK%\" style=\"background:{{accent}};color:{{onAccent}}\">{{button}}</a></p>" : "")
            </body></html>
            """
    }

    private static func text(for kind: LetterKind) -> String {
        "{{greeting}}\n\n{{lead}}\n{{#facts}}\n{{label}}: {{value}}\n{{/facts}}\n" + (kind.action == nil ? "" : "\n%LINK%\n\n")
            + "{{advice}}\n"
    }

    private func cases(of kind: LetterKind) throws -> [Case] {
        let codes = mails.views.languages.map(\.code)
        #expect(codes.count == 42)
        var files: [String: String] = [:]
        files["\(kind.rawValue).subject.txt.mustache"] = "File {{subject}} {{displayName}}"
        files["\(kind.rawValue).txt.mustache"] = Self.text(for: kind)
        files["\(kind.rawValue).html.mustache"] = Self.document(for: kind)
        let (inside, byFiles) = (try mails.composer(), try mails.composer(mails.files(files)))
        let project = try mails.project(kind) { template in
            template.translations = codes.map {
                .init(locale: $0, subject: "Set {{subject}} %APP_NAME%", body: Self.text(for: kind))
            }
        }
        return try codes.flatMap { code in
            let letter = try ProjectMails.letter(kind, in: code)
            return [
                Case(name: "\(kind.rawValue) \(code) inside", letter: letter, composed: try inside.compose(letter, in: mails.project)),
                Case(name: "\(kind.rawValue) \(code) files", letter: letter, composed: try byFiles.compose(letter, in: mails.project)),
                Case(name: "\(kind.rawValue) \(code) set", letter: letter, composed: try inside.compose(letter, in: project)),
            ]
        }
    }

    /// L6: a link survives its mail, and what mail programs and hands do to it. M6: a mail has one
    /// recipient, and no input makes a line of its header. M7: text and HTML have the same link,
    /// and the HTML escapes names and addresses.
    @Test(arguments: LetterKind.allCases)
    func `is read as it was composed, with its link once and nothing left over`(_ kind: LetterKind) throws {
        let cases = try cases(of: kind)
        #expect(cases.count == 42 * 3)
        let noLink = TemplateScope(link: .never, hasNewEmail: false, hasSecondFactor: false)
        let messages = try cases.map { mail in
            MIMEMessage(
                try Mails.mail(
                    language: mail.letter.language, subject: mail.composed.subject, text: mail.composed.text, html: mail.composed.html)
            ).bytes
        }
        for (mail, read) in zip(cases, try ReadMail.read(messages, recodes: false)) {
            let (name, link) = (mail.name, mail.letter.link)
            #expect(read.defects == [] && read.isPlain && read.longestLine <= 76, "\(name): \(read.defects)")
            #expect(read["Subject"]?.unicodeScalars.elementsEqual(mail.composed.subject.unicodeScalars) == true, "\(name)")
            let text = try #require(read.content("text/plain")).replacing("\r\n", with: "\n")
            let html = try #require(read.content("text/html")).replacing("\r\n", with: "\n")
            #expect(text == mail.composed.text && html == mail.composed.html, "\(name)")
            #expect(text.ranges(of: "://").count == (link == nil ? 0 : 1), "\(name)")
            #expect(link.map { text.ranges(of: $0).count == 1 } ?? true, "\(name)")
            #expect(link.map { html.ranges(of: "href=\"\($0.escaped)\"").count == 1 } ?? true, "\(name)")
            #expect(html.ranges(of: "oobCode=").count <= 2 && (link != nil || !html.contains("oobCode=")), "\(name)")
            #expect(html.utf8.count <= 25_000, "\(name): \(html.utf8.count)")
            // The checker of templates refuses placeholders that are left as well.
            for (part, content) in [(MailTemplate.Part.html, html), (.text, text), (.subject, mail.composed.subject)] {
                #expect(throws: Never.self, "\(name) \(part)") { _ = try MailTemplate(content, as: part, for: noLink) }
                #expect(!content.contains("{{") && !content.contains("}}"), "\(name)")
            }
        }
    }
}
