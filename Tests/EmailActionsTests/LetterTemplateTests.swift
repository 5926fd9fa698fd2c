import Accounts
import EmailActions
import Foundation
import Testing
import Vectors
import World

@Suite struct `A template` {
    private func objections(_ change: (inout LetterTemplate) -> Void) async throws -> [String] {
        var settings = ProjectSettings()
        change(&settings[template: .resetPassword])
        return try await World().project.applying(settings, speaks: { _ in true }).objections.map(\.field)
    }

    @Test(
        arguments: [
            ("", []), ("no more than words", [.words("no more than words")]),
            ("%LINK%", [.placeholder(.link)]), ("%%LINK%%", [.words("%"), .placeholder(.link), .words("%")]),
            ("100%LINK%", [.words("100"), .placeholder(.link)]), ("%link% %NAME% %LINK", [.words("%link% %NAME% %LINK")]),
            ("%NEW_EMAIL%%EMAIL%", [.placeholder(.newEmail), .placeholder(.email)]),
            ("%EMAIL%\u{301}", [.placeholder(.email), .words("\u{301}")]),
        ] as [(String, [LetterTemplate.Piece])])
    func `is taken apart as it is written`(_ text: String, _ pieces: [LetterTemplate.Piece]) {
        #expect(LetterTemplate.pieces(of: text) == pieces)
    }

    static let link = "<a href=\"%LINK%\">go</a>"

    @Test(arguments: [
        "%LINK%", "<p>1 < 2 & %DISPLAY_NAME%</p>" + link, "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0//EN\" \"x.dtd\"><html>" + link,
        "<style>a > b { color: red }</style><title>%APP_NAME%</title>" + link, "<!--[if mso]><v:rect href=\"%LINK%\"/><![endif]-->" + link,
        "<img src='x.png' alt=\"%APP_NAME%\"/><br/><b class=x>%EMAIL%</b>" + link, "<A HREF = '%LINK%'>%NEW_EMAIL%</A>",
        "<input disabled>" + link,
    ])
    func `takes HTML whose placeholders stand where escaping holds`(_ body: String) async throws {
        #expect(try await objections { ($0.body, $0.format) = (body, .html) } == [])
    }

    /// P7: nothing that people choose may become an attribute, a style, a script or an element.
    @Test(arguments: [
        "<a href=%LINK%>", "<a title=%DISPLAY_NAME% href=\"%LINK%\">go</a>", "<a title='%DISPLAY_NAME%'></a>", "<%DISPLAY_NAME%>",
        "</%DISPLAY_NAME%>", "<a %DISPLAY_NAME%>", "<!-- %DISPLAY_NAME% -->", "<!x %DISPLAY_NAME%>", "<style>%DISPLAY_NAME%</style>",
        "<style></stylex>%DISPLAY_NAME%</style>", "<title>%DISPLAY_NAME%</title>", "<script>1</script>", "<ScRiPt src=x></script>",
        "<iframe>", "<svg>", "<textarea>%DISPLAY_NAME%</textarea>", "<noscript>", "<a \">%DISPLAY_NAME%<b \">", "<a x=y\"z>",
        "<a x==\"y\">", "<a <b>", "<a href=\"x", "<!-- x", "<style>",
    ])
    func `refuses HTML whose placeholders stand elsewhere`(_ body: String) async throws {
        let field = ["notification.sendEmail.resetPasswordTemplate.body"]
        #expect(try await objections { ($0.body, $0.format) = (Self.link + body, .html) } == field)
        #expect(try await objections { ($0.body, $0.format) = (Self.link + body, .text) } == [])
    }

    /// M6: whatever an admin sends for a line of the header, what is taken is one line, and an address is an address.
    @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)))
    func `lets nothing hostile into a header`() async throws {
        let lists = [
            "crlf-fuzzdb.txt", "crlf-patt.txt", "http-header-cache-poison-fuzzdb.txt", "ssti-patt.txt", "xss-patt-JHADDIX_XSS.txt",
        ]
        let vectors =
            try lists.flatMap { try Vectors.lines("inject/\($0)") }
            + JSONDecoder().decode([String].self, from: Vectors.bytes("inject/naughty-strings.json"))
        let project = try await World().project
        for vector in vectors {
            for text in [vector, "x\r\n\(vector)", "\(vector)\u{2028}x"] {
                var settings = ProjectSettings()
                settings[template: .signIn].senderDisplayName = text
                settings[template: .signIn].subject = text
                settings[template: .signIn].replyTo = text
                settings[template: .signIn].senderLocalPart = text
                let taken = project.applying(settings, speaks: { _ in true }).project.templates[.signIn]
                for line in [taken?.senderDisplayName, taken?.subject].compactMap(\.self) {
                    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0x2028 }, "\(line)")
                }
                #expect(taken?.replyTo.map { EmailAddress($0) != nil } ?? true)
                #expect(taken?.senderLocalPart?.contains(#/[^A-Za-z0-9._+\-]/#) != true, "\(text)")
            }
        }
    }
}
