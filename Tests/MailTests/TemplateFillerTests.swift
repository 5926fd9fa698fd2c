import Accounts
import EmailActions
import Foundation
import Testing
import Vectors
import Views
import WebURL

@testable import Mail

@Suite struct `A letter from a project's template` {
    static let link = "https://auth.example/__/auth/action?mode=resetPassword&oobCode=abc&apiKey=key"
    static let html = """
        <p title="%APP_NAME%">Hello %DISPLAY_NAME%,</p><p>%EMAIL% %NEW_EMAIL% %SECOND_FACTOR%</p><p><a href='%LINK%'>%LINK%</a></p>
        """

    static let views = Result { try Views(resources: URL(filePath: #filePath).appending(path: "../../..").standardized.path) }

    let composer: LetterComposer
    let project: Project

    init() throws {
        let views = try Self.views.get()
        project = Project(
            id: ProjectID(rawValue: "shop"), displayName: "Shop", authorizedDomains: try AuthorizedDomains([]),
            actionURL: try WebURL("https://auth.example/__/auth/action"))
        let brand = try views.brand(name: "Shop")
        composer = LetterComposer(views: views, brand: { _ in brand }, origin: "https://auth.example")
    }

    func composed(
        _ action: Action = .resetPassword, language: String = "en", name: String? = nil, factor: String? = nil, app: String = "Shop",
        _ change: (inout LetterTemplate) -> Void
    ) throws -> ComposedLetter {
        var (project, template) = (project, LetterTemplate())
        change(&template)
        var settings = ProjectSettings()
        settings[template: action] = template
        let checks = SettingsChecks(isShipped: { _ in true }, template: \.checked)
        let (effective, objections) = project.applying(settings, checks: checks)
        try #require(objections.isEmpty)
        project = effective
        project.displayName = app
        var letter = Letter(
            .action(action), to: try #require(EmailAddress("ada@app.example")), language: language,
            createdAt: Timestamp(seconds: 1_800_000_000))
        letter.displayName = name
        letter.secondFactor = factor
        letter.otherEmail = EmailAddress("new@app.example")
        letter.link = Self.link
        return composer.compose(letter, in: project)
    }

    @Test func `in HTML keeps the shipped text part, with the same link`() throws {
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

    @Test func `in text has an HTML part with the same words and the link as an anchor`() throws {
        let own = try composed { $0.body = "Hello %DISPLAY_NAME%,\n\nat <%APP_NAME%> 100% of people go to\n%LINK%\n" }
        #expect(own.text == "Hello,\n\nat <Shop> 100% of people go to\n\(Self.link)\n")
        let link = Self.link.replacing("&", with: "&amp;")
        #expect(own.html.contains(">Hello,\n\nat &lt;Shop&gt; 100% of people go to\n<a href=\"\(link)\">\(link)</a>\n</body>"))
    }

    @Test(arguments: Action.allCases)
    func `replaces the words of its own action, in the project's own language only`(_ action: Action) throws {
        func change(_ template: inout LetterTemplate) { template.subject = "Own words" }
        #expect(try composed(action, change).subject == "Own words")
        #expect(try composed(action, language: "ar", change).subject != "Own words")
        #expect(try composed(action, language: "tlh", change).subject == "Own words")
        var effective = project
        effective.templates[.verifyEmail] = LetterTemplate()
        effective.templates[.verifyEmail]?.subject = "Own words"
        var letter = Letter(
            .action(action), to: try #require(EmailAddress("ada@app.example")), language: "en", createdAt: Timestamp(seconds: 0))
        letter.link = Self.link
        #expect((composer.compose(letter, in: effective).subject == "Own words") == (action == .verifyEmail))
    }

    @Test func `names the old and the new address of a change`() throws {
        let body = "%EMAIL% > %NEW_EMAIL% %LINK%"
        #expect(try composed(.verifyAndChangeEmail) { $0.body = body }.text.hasPrefix("new@app.example > ada@app.example "))
        #expect(try composed(.recoverEmail) { $0.body = body }.text.hasPrefix("ada@app.example > new@app.example "))
    }

    @Test func `carries the template's sender fields in every language`() throws {
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
    @Test func `does not search inserted values for placeholders`() throws {
        let own = try composed(name: "%LINK%", factor: "%APP_NAME%", app: "%DISPLAY_NAME%%LINK%") { template in
            template.subject = "%APP_NAME% %DISPLAY_NAME%"
            template.body = Self.html
            template.format = .html
        }
        #expect(own.subject == "%DISPLAY_NAME%%LINK% %LINK%")
        #expect(own.html.contains("Hello %LINK%,") && own.html.contains(" %APP_NAME%</p>"))
        #expect(own.html.ranges(of: "oobCode=abc").count == 2)
    }

    /// M6, M7, M10, P7.
    @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)))
    func `keeps its markup whatever users and apps are called`() throws {
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
