import Accounts
import AppLinks
import Foundation
import Testing
import Vectors
import Views
@testable import Mail

@Suite struct `A letter from a project's template` {
    static let html = "<p title=\"%APP_NAME%\">Hello %DISPLAY_NAME%,</p><p>%EMAIL%</p><p><a href='%LINK%'>%LINK%</a></p>"
    static let link = ProjectMails.link

    let mails: ProjectMails

    init() throws { mails = try ProjectMails() }

    @Test func `in a document of HTML is sent as it is, beside the shipped text with the same link`() throws {
        let document = "<!doctype html><html><body>\(Self.html)</body></html>"
        let project = try mails.project { ($0.subject, $0.body, $0.format) = ("%APP_NAME% for %DISPLAY_NAME%", document, .html) }
        let own = try mails.compose(ProjectMails.letter(), in: project)
        #expect(own.subject == "Shop for Ada")
        #expect(
            own.html == """
                <!doctype html><html><body><p title="Shop">Hello <bdi>Ada</bdi>,</p><p><bdi dir="ltr">ada@mail.example</bdi></p>\
                <p><a href='\(Self.link.escaped)'><bdi dir="ltr">\(Self.link.escaped)</bdi></a></p></body></html>
                """)
        #expect(own.text == (try mails.compose(ProjectMails.letter())).text)
    }

    /// Outlook on Windows reads tables and ignores most styles.
    @Test func `in HTML without a document is in the frame of the shipped mails`() throws {
        let project = try mails.project { ($0.body, $0.format) = (Self.html, .html) }
        let own = try mails.compose(ProjectMails.letter(in: "ar"), in: project)
        let shipped = try mails.compose(ProjectMails.letter(in: "ar"))
        #expect(own.html == shipped.html)
        let english = try mails.compose(ProjectMails.letter(), in: project)
        #expect(english.html.contains("<p title=\"Shop\">Hello <bdi>Ada</bdi>,</p>") && english.html.contains("<table class=\"around\""))
        #expect(english.html.ranges(of: "<!doctype").count == 1 && english.html.ranges(of: "oobCode=").count == 2)
        #expect(!english.html.contains("<h1"))
    }

    @Test func `in text is shown in the same frame, with the link as a button`() throws {
        let body = "Hello %DISPLAY_NAME%,\n\nat <%APP_NAME%> 100% of people\ngo to\n\n  %LINK%\n\nBye"
        let project = try mails.project { $0.body = body }
        let own = try mails.compose(ProjectMails.letter(name: nil), in: project)
        #expect(own.text == "Hello,\n\nat <Shop> 100% of people\ngo to\n\n  \(Self.link)\n\nBye")
        for words in [">Hello,</div>", ">at &lt;<bdi>Shop</bdi>&gt; 100% of people<br>\ngo to</div>", ">Bye</div>"] {
            #expect(own.html.contains(words), "\(words)")
        }
        #expect(own.html.contains("<td class=\"button\"") && own.html.ranges(of: "href=\"\(Self.link.escaped)\"").count == 1)
        #expect(own.html.contains("<td class=\"copy text\"") && own.html.ranges(of: "oobCode=").count == 2)
        let inside = try mails.compose(ProjectMails.letter(), in: mails.project { $0.body = "Go to %LINK%." })
        let anchor = "Go to <a href=\"\(Self.link.escaped)\"><bdi dir=\"ltr\">\(Self.link.escaped)</bdi></a>."
        #expect(inside.html.contains(anchor) && !inside.html.contains("<td class=\"button\""))
    }

    @Test(arguments: LetterKind.allCases)
    func `replaces the words of its own kind, in its own language only`(_ kind: LetterKind) throws {
        let project = try mails.project(kind) { $0.subject = "Own words" }
        for (language, isOwn) in [("en", true), ("en-GB", true), ("tlh", true), ("ar", false), ("de", false)] {
            #expect(
                (try mails.compose(ProjectMails.letter(kind, in: language), in: project).subject == "Own words") == isOwn, "\(language)")
        }
        let other = try #require(LetterKind.allCases.first { $0 != kind })
        #expect(try mails.compose(ProjectMails.letter(other), in: project).subject != "Own words")
    }

    @Test func `has a translation for each language that an admin has set`() throws {
        let project = try mails.project { template in
            template.subject = "Own"
            template.translations = [
                .init(locale: "de", subject: "Eigenes", body: "Hallo %LINK%"), .init(locale: "de-AT", subject: "Servus"),
                .init(locale: "zh", subject: "简体"), .init(locale: "es-419", subject: "Latino"),
            ]
        }
        let expected = [
            "en": "Own", "de": "Eigenes", "de-CH": "Eigenes", "de-AT": "Servus", "zh-CN": "简体", "zh-Hans-SG": "简体", "es-MX": "Latino",
        ]
        for (language, subject) in expected {
            #expect(try mails.compose(ProjectMails.letter(in: language), in: project).subject == subject, "\(language)")
        }
        for language in ["zh-TW", "es", "fr"] {
            let shipped = try mails.compose(ProjectMails.letter(in: language)).subject
            #expect(try mails.compose(ProjectMails.letter(in: language), in: project).subject == shipped, "\(language)")
        }
        #expect(try mails.compose(ProjectMails.letter(in: "de-AT"), in: project).text == "Hallo\n\(Self.link)")
    }

    @Test func `names the old and the new address of a change`() throws {
        for (action, words) in [
            (Action.verifyAndChangeEmail, "new@mail.example > ada@mail.example\n"),
            (.recoverEmail, "ada@mail.example > new@mail.example\n"),
        ] {
            let project = try mails.project(.action(action)) { $0.body = "%EMAIL% > %NEW_EMAIL% %LINK%" }
            #expect(try mails.compose(ProjectMails.letter(.action(action)), in: project).text.hasPrefix(words))
        }
    }

    /// The words for a change would not be true.
    @Test func `a project's words for a change are not used for a first address`() throws {
        var letter = try ProjectMails.letter(.action(.verifyAndChangeEmail))
        letter.otherEmail = nil
        let changing = try mails.project(.action(.verifyAndChangeEmail)) {
            ($0.body, $0.senderDisplayName) = ("%EMAIL% > %NEW_EMAIL% %LINK%", "Shop accounts")
        }
        let shipped = try mails.compose(letter, in: changing)
        #expect(shipped.subject == "Add your e-mail address to your Shop account")
        #expect(shipped.text.contains("Add ada@mail.example to an account at Shop that has no address"))
        #expect(try mails.outgoing(letter, in: changing).sender.name == "Shop accounts")
        let every = try mails.compose(letter, files: ["letter.txt.mustache": "For all: {{lead}}{{#link}} {{link}}{{/link}}"], in: changing)
        #expect(every.text.hasPrefix("For all: Add ada@mail.example to an account"))
    }

    @Test func `carries the template's sender fields in every language`() throws {
        let project = try mails.project { ($0.senderDisplayName, $0.replyTo) = ("Shop accounts", "help@app.example") }
        for language in ["en", "ar"] {
            let mail = try mails.outgoing(ProjectMails.letter(in: language), in: project)
            #expect(mail.sender.name == "Shop accounts" && mail.replyTo?.value == "help@app.example")
            #expect(mail.sender.address == ProjectMails.sender.from.address)
        }
        let mail = try mails.outgoing(ProjectMails.letter(), in: mails.project { $0.subject = "Own" })
        #expect(mail.sender.name == "Shop" && mail.replyTo == nil && mail.sender.address == ProjectMails.sender.from.address)
    }

    /// V2: what one project's template makes of a mail is bounded.
    @Test(arguments: LetterTemplate.Format.allCases, ["{{#facts}}{{lead}}{{/facts}}", "{{#facts}}{{why}}\n\n{{/facts}}"])
    func `is not composed if it is larger than 256 KB`(format: LetterTemplate.Format, part: String) throws {
        func compose(_ count: Int) throws -> RenderedMail {
            let body = "<a href='%LINK%'>x</a>" + String(repeating: part, count: count)
            return try mails.compose(ProjectMails.letter(), in: mails.project { ($0.body, $0.format) = (body, format) })
        }
        #expect(try compose(10).html.utf8.count > 5_000)
        do {
            let mail = try compose(3_000)
            Issue.record("\(mail.html.utf8.count) bytes")
        } catch let error as ActionError {
            #expect(error.cause == "the mail cannot be composed: its template makes it larger than 256 KB")
        }
    }

    /// M10: a placeholder inside a user's name is not expanded.
    @Test func `does not search inserted values for placeholders`() throws {
        let app = "%DISPLAY_NAME%{{link}}%LINK%"
        for format in LetterTemplate.Format.allCases {
            let project = try mails.project { template in
                template.subject = "%APP_NAME% %DISPLAY_NAME%"
                template.body = "<p>%DISPLAY_NAME% %APP_NAME%</p><a href='%LINK%'>x</a>"
                template.format = format
            }
            let own = try mails.composer(app: app).compose(ProjectMails.letter(name: "{{link}}%LINK%"), in: project)
            #expect(own.subject == "\(app) {{link}}%LINK%")
            #expect(own.html.contains("<bdi>{{link}}%LINK%</bdi> <bdi>\(app)</bdi>"))
            #expect(own.html.ranges(of: "href='\(Self.link.escaped)'").count == 1 || format == .text)
            #expect(own.html.ranges(of: "oobCode=").count <= 2 && own.text.ranges(of: "oobCode=").count == 1)
        }
    }

    /// M6: a mail has one recipient, and no input makes a line of its header. M7: text and HTML
    /// have the same link, and the HTML escapes names and addresses. M10: a placeholder inside a
    /// user's name is not expanded. P7: every value on a page or in a mail is escaped for its
    /// place.
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
        let kind = LetterKind.action(.revertSecondFactorAddition)
        func marks(_ html: String) -> [Unicode.Scalar] {
            ["<bdi>", "</bdi>"].reduce(html) { $0.replacingOccurrences(of: $1, with: "", options: .literal) }.unicodeScalars.filter {
                "<>\"'".unicodeScalars.contains($0)
            }
        }
        let body = "<p title=\"%APP_NAME%\">Hello %DISPLAY_NAME%, %SECOND_FACTOR%</p><p><a href='%LINK%'>%APP_NAME%</a></p>"
        for format in LetterTemplate.Format.allCases {
            let project = try mails.project(kind) { template in
                template.subject = "For %DISPLAY_NAME% of %APP_NAME%: %SECOND_FACTOR%"
                template.body = "<!doctype html><html><body>\(body)</body></html>"
                template.format = format
            }
            let plain = marks(try mails.compose(ProjectMails.letter(kind), in: project).html)
            for vector in vectors where !vector.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint) {
                let composer = try mails.composer(app: vector)
                let own = try composer.compose(try ProjectMails.letter(kind, name: vector, factor: vector), in: project)
                // A blank name has no letter in place of a logo.
                #expect(marks(own.html) == plain || vector.allSatisfy(\.isWhitespace), "\(vector)")
                #expect(!own.subject.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(vector)")
                #expect(own.text.contains(Self.link) && own.html.contains(Self.link.escaped), "\(vector)")
            }
        }
    }
}
