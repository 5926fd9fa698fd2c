import Accounts
import EmailActions
import Foundation
import Testing
import Vectors

@testable import Mail

@Suite struct `A mail template` {
    /// The fields that cannot be used.
    private func objections(_ change: (inout LetterTemplate) -> Void) -> [String] {
        var template = LetterTemplate()
        change(&template)
        return template.checked.objections.map(\.field)
    }

    @Test(
        arguments: [
            ("", []), ("only words", [.words("only words")]),
            ("%LINK%", [.placeholder(.link)]), ("%%LINK%%", [.words("%"), .placeholder(.link), .words("%")]),
            ("100%LINK%", [.words("100"), .placeholder(.link)]), ("%link% %NAME% %LINK", [.words("%link% %NAME% %LINK")]),
            ("%NEW_EMAIL%%EMAIL%", [.placeholder(.newEmail), .placeholder(.email)]),
            ("%EMAIL%\u{301}", [.placeholder(.email), .words("\u{301}")]),
        ] as [(String, [LetterTemplate.Piece])])
    func `is split at its placeholders`(_ text: String, _ pieces: [LetterTemplate.Piece]) {
        #expect(LetterTemplate.pieces(of: text) == pieces)
    }

    static let link = "<a href=\"%LINK%\">go</a>"

    @Test(arguments: [
        "%LINK%", "<p>1 < 2 & %DISPLAY_NAME%</p>" + link, "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0//EN\" \"x.dtd\"><html>" + link,
        "<style>a > b { color: red }</style><title>%APP_NAME%</title>" + link, "<!--[if mso]><v:rect href=\"%LINK%\"/><![endif]-->" + link,
        "<img src='x.png' alt=\"%APP_NAME%\"/><br/><b class=x>%EMAIL%</b>" + link, "<A HREF = '%LINK%'>%NEW_EMAIL%</A>",
        "<input disabled>" + link, "<a href=/x?a=b&c==d/ class = y title>z</a>" + link, "<b x=\"y\"z='%APP_NAME%'>b</b><br / >" + link,
        "<!--[if !mso]><!--><p>%DISPLAY_NAME%</p><!--<![endif]-->" + link,
    ])
    func `is accepted if escaping makes each placeholder harmless`(_ body: String) {
        #expect(objections { ($0.body, $0.format) = (body, .html) } == [])
    }

    /// P7: no value may become an attribute, a style, a script or an element.
    @Test(arguments: [
        "<a href=%LINK%>", "<a title=%DISPLAY_NAME% href=\"%LINK%\">go</a>", "<a title='%DISPLAY_NAME%'></a>", "<%DISPLAY_NAME%>",
        "</%DISPLAY_NAME%>", "<a %DISPLAY_NAME%>", "<!-- %DISPLAY_NAME% -->", "<!x %DISPLAY_NAME%>", "<style>%DISPLAY_NAME%</style>",
        "<style></stylex>%DISPLAY_NAME%</style>", "<title>%DISPLAY_NAME%</title>", "<script>1</script>", "<ScRiPt src=x></script>",
        "<iframe>", "<svg>", "<textarea>%DISPLAY_NAME%</textarea>", "<noscript>", "<a \">%DISPLAY_NAME%<b \">", "<a x=y\"z>",
        "<a x==\"y\">", "<a <b>", "<a href=\"x", "<!-- x", "<style>",
        // A less exact tokenizer would miss what browsers see here.
        "<a =\"><script>\">", "<a x=y=\"><script>\">", "<a x=\"y\"=\"><script>\">", "<a x=y =\"><script>\">", "<a/=\"><script>\">",
        "<!--><script>-->", "<!---><script>-->", "<!-- --!><script>-->", "</ <a x=\"><script>\">", "</><b>", "</", "</%DISPLAY_NAME%b>",
        "< %DISPLAY_NAME%script>", "<  %DISPLAY_NAME%b>",
    ])
    func `is refused if a placeholder is where escaping is not enough`(_ body: String) {
        let field = ["body"]
        #expect(objections { ($0.body, $0.format) = (Self.link + body, .html) } == field)
        #expect(objections { ($0.body, $0.format) = (Self.link + body, .text) } == [])
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
                var template = LetterTemplate()
                template.senderDisplayName = text
                template.subject = text
                template.replyTo = text
                template.senderLocalPart = text
                let accepted = template.checked.template
                for line in [accepted.senderDisplayName, accepted.subject].compactMap(\.self) {
                    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0x2028 }, "\(line)")
                }
                #expect(accepted.replyTo.map { EmailAddress($0) != nil } ?? true)
                #expect(accepted.senderLocalPart?.contains(#/[^A-Za-z0-9._+\-]/#) != true, "\(text)")
            }
        }
    }
}
