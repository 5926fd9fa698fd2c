import Accounts
import EmailActions
import Foundation
import Testing
import Vectors
import Views
import Web
import WebURL

@testable import Onward

/// A mail in a project's own words.
@Suite struct `A letter of a project` {
    static let link = "https://auth.example/__/auth/action?mode=resetPassword&oobCode=abc&apiKey=key"
    static let html = """
        <p title="%APP_NAME%">Hello %DISPLAY_NAME%,</p><p>%EMAIL% %NEW_EMAIL% %SECOND_FACTOR%</p><p><a href='%LINK%'>%LINK%</a></p>
        """

    let words: Words
    var project: Project

    init() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let views = try Views(resources: root)
        project = Project(
            id: ProjectID(rawValue: "shop"), displayName: "Shop", authorizedDomains: try AuthorizedDomains([]),
            actionURL: try WebURL("https://auth.example/__/auth/action"))
        words = Words(views: views, brands: try Brands(Projects([project]), views: views), now: { Timestamp(seconds: 1_800_000_000) })
    }

    func composed(
        _ kind: LetterKind = .resetPassword, language: String = "en", name: String? = nil, factor: String? = nil, app: String = "Shop",
        _ change: (inout LetterTemplate) -> Void
    ) throws -> ComposedLetter {
        var (project, template) = (project, LetterTemplate())
        change(&template)
        var settings = ProjectSettings()
        settings[template: try #require(Action(rawValue: kind.rawValue))] = template
        let (effective, objections) = project.applying(settings, speaks: { _ in true })
        try #require(objections.isEmpty)
        project = effective
        project.displayName = app
        var letter = Letter(kind, to: try #require(EmailAddress("ada@app.example")), language: language)
        letter.displayName = name
        letter.secondFactor = factor
        letter.otherEmail = EmailAddress("new@app.example")
        letter.link = Self.link
        return words.compose(letter, in: project)
    }

    @Test func `in HTML keeps Onward's words as its text, with the same link`() throws {
        let ours = try composed { _ in }
        let own = try composed(name: "Ada") { template in
            template.subject = "%APP_NAME% for %DISPLAY_NAME%"
            template.body = Self.html
            template.format = .html
        }
        let link = Self.link.replacing("&", with: "&amp;")
        #expect(own.subject == "Shop for Ada")
        #expect(
            own.html
                == "<p title=\"Shop\">Hello Ada,</p><p>ada@app.example new@app.example</p><p><a href='\(link)'>\(link)</a></p>")
        #expect(own.text.contains("\n\(Self.link)\n") && own.text.replacing("Hello Ada,", with: "Hello,") == ours.text)
    }

    @Test func `in text has the same words as its HTML, where the link can be followed`() throws {
        let own = try composed { $0.body = "Hello %DISPLAY_NAME%,\n\nat <%APP_NAME%> 100% of people go to\n%LINK%\n" }
        #expect(own.text == "Hello,\n\nat <Shop> 100% of people go to\n\(Self.link)\n")
        let link = Self.link.replacing("&", with: "&amp;")
        #expect(own.html.contains(">Hello,\n\nat &lt;Shop&gt; 100% of people go to\n<a href=\"\(link)\">\(link)</a>\n</body>"))
    }

    @Test(arguments: LetterKind.allCases.filter { Action(rawValue: $0.rawValue) != nil })
    func `replaces its kind and no other, in the project's language and no other`(_ kind: LetterKind) throws {
        func change(_ template: inout LetterTemplate) { template.subject = "Own words" }
        #expect(try composed(kind, change).subject == "Own words")
        #expect(try composed(kind, language: "ar", change).subject != "Own words")
        #expect(try composed(kind, language: "tlh", change).subject == "Own words")
        var settings = ProjectSettings()
        settings[template: .verifyEmail].subject = "Own words"
        let effective = project.applying(settings, speaks: { _ in true }).project
        var letter = Letter(kind, to: try #require(EmailAddress("ada@app.example")), language: "en")
        letter.link = Self.link
        #expect((words.compose(letter, in: effective).subject == "Own words") == (kind == .verifyEmail))
    }

    @Test func `names the addresses of a change from either end`() throws {
        let body = "%EMAIL% > %NEW_EMAIL% %LINK%"
        #expect(try composed(.verifyAndChangeEmail) { $0.body = body }.text.hasPrefix("new@app.example > ada@app.example "))
        #expect(try composed(.recoverEmail) { $0.body = body }.text.hasPrefix("ada@app.example > new@app.example "))
    }

    @Test func `carries what its header says, in every language`() throws {
        for language in ["en", "ar"] {
            let head = try composed(language: language) { template in
                template.senderDisplayName = "Shop accounts"
                template.replyTo = "help@app.example"
            }.letterhead
            #expect(head?.senderDisplayName == "Shop accounts" && head?.replyTo == "help@app.example" && head?.senderLocalPart == nil)
        }
        #expect(try composed { $0.subject = "Own" }.letterhead == nil)
    }

    /// M10.
    @Test func `expands nothing twice`() throws {
        let own = try composed(name: "%LINK%", factor: "%APP_NAME%", app: "%DISPLAY_NAME%%LINK%") { template in
            template.subject = "%APP_NAME% %DISPLAY_NAME%"
            template.body = Self.html
            template.format = .html
        }
        #expect(own.subject == "%DISPLAY_NAME%%LINK% %LINK%")
        #expect(own.html.contains("Hello %LINK%,") && own.html.contains(" %APP_NAME%</p>"))
        #expect(own.html.ranges(of: "oobCode=abc").count == 2)
    }

    /// M6, M7, M10, P7: whatever people call themselves, and operators their app.
    @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)))
    func `stays as it was written around hostile names`() throws {
        let lists = [
            "crlf-fuzzdb.txt", "crlf-patt.txt", "http-header-cache-poison-fuzzdb.txt", "ssti-patt.txt", "xss-fuzzdb-uri.txt",
            "xss-patt-IntrudersXSS.txt", "xss-patt-JHADDIX_XSS.txt", "xss-patt-MarioXSSVectors.txt", "xss-patt-RSNAKE_XSS.txt",
            "xss-patt-XSSDetection.txt", "xss-patt-XSS_Polyglots.txt", "xss-patt-xss_payloads_quick.txt",
        ]
        let vectors =
            try lists.flatMap { try Vectors.lines("inject/\($0)") }
            + JSONDecoder().decode([String].self, from: Vectors.bytes("inject/naughty-strings.json"))
        #expect(vectors.count > 1500)
        func marks(_ html: String) -> [Unicode.Scalar] { html.unicodeScalars.filter { "<>\"'".unicodeScalars.contains($0) } }
        for vector in vectors {
            for format in LetterTemplate.Format.allCases {
                let own = try composed(name: vector, factor: vector, app: vector) { template in
                    template.subject = "For %DISPLAY_NAME% of %APP_NAME%: %SECOND_FACTOR%"
                    template.body = Self.html
                    template.format = format
                }
                let plain = try composed(name: "Ada", factor: "phone", app: "Shop") { template in
                    template.body = Self.html
                    template.format = format
                }
                #expect(marks(own.html) == marks(plain.html), "\(vector)")
                #expect(!own.subject.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(vector)")
                #expect(own.text.contains(Self.link) && own.html.contains(Self.link.replacing("&", with: "&amp;")), "\(vector)")
            }
        }
    }
}
