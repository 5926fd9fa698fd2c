import Accounts
import Foundation
import Testing
import Vectors
@testable import Mail

@Suite struct `A template that an admin sets` {
    private func checked(_ kind: LetterKind = .action(.resetPassword), _ change: (inout LetterTemplate) -> Void) -> CheckedTemplate {
        var template = LetterTemplate()
        change(&template)
        return template.checked(for: kind) { ["en", "de"].contains($0) ? $0 : nil }
    }

    @Test func `is refused with the position in the field`() {
        let found = checked { ($0.subject, $0.body) = ("%LINK%", "Hello,\n%NAME%") }
        #expect(found.objections.map(\.field) == ["subject", "body"])
        #expect(found.objections.map(\.sentence).allSatisfy { $0.hasPrefix("line ") })
        #expect(found.objections.last?.sentence.hasPrefix("line 2, column 1: unknown placeholder %NAME%") == true)
        #expect(found.template == LetterTemplate())
    }

    @Test func `has the names of its own mail`() {
        let notice = LetterKind.notice(.passwordChanged)
        #expect(checked(notice) { $0.body = "%LINK%" }.objections.map(\.field) == ["body"])
        #expect(checked(notice) { $0.body = "Changed for %EMAIL%" }.objections == [])
        #expect(checked { $0.body = "Hello" }.objections.map(\.field) == ["body"])
    }

    @Test func `keeps the translations that can be used`() {
        let good = LetterTemplate.Translation(locale: "de", subject: "Gut")
        let found = checked {
            $0.translations = [
                good, .init(locale: "xx"), .init(locale: "de", subject: "Noch einmal"), .init(locale: "en", body: "<b>", format: .html),
            ]
        }
        #expect(found.template.translations == [good])
        #expect(found.objections.map(\.field) == ["translations[1].locale", "translations[2].locale", "translations[3].body"])
    }

    /// M6: an accepted header field is one line, and an accepted address is an address.
    @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)))
    func `puts no control character into a header field`() throws {
        let lists = [
            "crlf-fuzzdb.txt", "crlf-patt.txt", "http-header-cache-poison-fuzzdb.txt", "ssti-patt.txt", "xss-patt-JHADDIX_XSS.txt",
        ]
        let vectors =
            try lists.flatMap { try Vectors.lines("inject/\($0)") }
            + JSONDecoder().decode([String].self, from: Vectors.bytes("inject/naughty-strings.json"))
        for vector in vectors {
            for text in [vector, "x\r\n\(vector)", "\(vector)\u{2028}x"] {
                let accepted = checked { ($0.senderDisplayName, $0.subject, $0.replyTo, $0.senderLocalPart) = (text, text, text, text) }
                    .template
                for line in [accepted.senderDisplayName, accepted.subject?.trimmingCharacters(in: .newlines)].compactMap(\.self) {
                    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0x2028 }, "\(line)")
                }
                #expect(accepted.replyTo.map { EmailAddress($0) != nil } ?? true)
                #expect(accepted.senderLocalPart?.contains(#/[^A-Za-z0-9._+\-]/#) != true, "\(text)")
            }
        }
    }
}
