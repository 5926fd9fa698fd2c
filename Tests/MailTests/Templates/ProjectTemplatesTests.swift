import Accounts
import Foundation
import Testing
import Views
@testable import Mail

@Suite struct `A folder of mail templates` {
    let mails: ProjectMails

    init() throws { mails = try ProjectMails() }

    private func subject(_ language: String, _ files: [String: String], of kind: LetterKind = .action(.resetPassword)) throws -> String {
        try mails.compose(ProjectMails.letter(kind, in: language), files: files).subject
    }

    @Test func `gives a mail the words of the closest language, or else those for every language`() throws {
        let files = [
            "de-AT/resetPassword.subject.txt.mustache": "Servus", "de/resetPassword.subject.txt.mustache": "Hallo",
            "pt/resetPassword.subject.txt.mustache": "Oi", "zh/resetPassword.subject.txt.mustache": "简体",
            "resetPassword.subject.txt.mustache": "Hello\n",
        ]
        let expected = [
            "de-AT": "Servus", "de-AT-1996": "Servus", "de-CH": "Hallo", "de_DE": "Hallo", "pt-BR": "Oi", "pt-PT": "Oi", "fr": "Hello",
            "zh-CN": "简体", "zh-TW": "Hello", "zh-Hant-HK": "Hello", "tlh": "Hello",
        ]
        for (language, words) in expected { #expect(try subject(language, files) == words, "\(language)") }
        let verify = LetterKind.action(.verifyEmail)
        #expect(try subject("fr", files, of: verify) == mails.compose(ProjectMails.letter(verify, in: "fr")).subject)
    }

    @Test func `has in letter files the words for all mails without files of their own`() throws {
        let files = [
            "letter.subject.txt.mustache": "[{{appName}}] {{subject}}", "verifyEmail.subject.txt.mustache": "Welcome",
            "de/letter.subject.txt.mustache": "Post: {{subject}}",
        ]
        let shipped = try mails.compose(ProjectMails.letter()).subject
        #expect(try subject("en", files) == "[Shop] \(shipped)")
        #expect(try subject("en", files, of: .action(.verifyEmail)) == "Welcome")
        #expect(try subject("de", files, of: .action(.verifyEmail)).hasPrefix("Post: "))
    }

    @Test func `gives text and HTML of one place, and the subject of its own`() throws {
        let files = [
            "resetPassword.html.mustache": "<html><body><a href=\"{{link}}\">every</a></body></html>",
            "resetPassword.subject.txt.mustache": "every", "de/resetPassword.txt.mustache": "nur hier\n{{link}}\n",
        ]
        let german = try mails.compose(ProjectMails.letter(in: "de"), files: files)
        #expect(german.subject == "every" && german.text.hasPrefix("nur hier\n") && german.html.contains(">nur hier</div>"))
        let french = try mails.compose(ProjectMails.letter(in: "fr"), files: files)
        let shipped = try mails.compose(ProjectMails.letter(in: "fr"))
        #expect(french.html.contains(">every</a>") && french.text == shipped.text)
    }

    @Test func `comes after what admins have set for the same language`() throws {
        let project = try mails.project { template in
            template.subject = "Set"
            template.translations = [.init(locale: "de", body: "Gesetzt %LINK%")]
        }
        let files = ["en/resetPassword.subject.txt.mustache": "File", "de/resetPassword.subject.txt.mustache": "Datei"]
        #expect(try mails.compose(ProjectMails.letter(), files: files, in: project).subject == "Set")
        let german = try mails.compose(ProjectMails.letter(in: "de"), files: files, in: project)
        #expect(german.subject == "Datei" && german.text.hasPrefix("Gesetzt"))
    }

    @Test func `is for the project that it is named after`() throws {
        let files = ["/other/resetPassword.subject.txt.mustache": "Other"]
        #expect(try subject("en", files) == mails.compose(ProjectMails.letter()).subject)
        #expect(try mails.files(files).projects == ["other"])
        #expect(try ProjectTemplates(folder: "/nowhere/templates", views: mails.views).projects == [])
    }

    @Test func `leaves out lines of sections and comments, and values that are missing`() throws {
        let text = """
            {{! A comment
                of two lines. }}
            Hello {{displayName}},
              {{#displayName}}
            your name is {{displayName}}.
              {{/displayName}}
            {{^displayName}}
            you have no name.
            {{/displayName}}
            {{link}}
            """
        let named = try mails.compose(ProjectMails.letter(), files: ["resetPassword.txt.mustache": text]).text
        #expect(named == "Hello Ada,\nyour name is Ada.\n\(ProjectMails.link)")
        let unnamed = try mails.compose(ProjectMails.letter(name: nil), files: ["resetPassword.txt.mustache": text]).text
        #expect(unnamed == "Hello,\nyou have no name.\n\(ProjectMails.link)")
    }

    /// Every problem is reported at once, with its file.
    @Test func `is refused with file, line and column of each problem`() throws {
        let files = [
            "xx/resetPassword.txt.mustache": "{{link}}", "resetPasswort.txt.mustache": "{{link}}", "verifyEmail.html": "x",
            "de/verifyEmail.html.mustache": "<p>\n<a href=\"{{link}}\">x</a>\n</div>", "signIn.txt.mustache": "Hello {{nmae}}",
            "passwordChanged.txt.mustache": "{{link}}", "/README": "x", ".gitkeep": "",
        ]
        let error = try #require(throws: InvalidTemplates.self) { try mails.files(files) }
        let found = error.problems.map { problem in
            (
                problem.file.dropFirst(mails.folder.count + 1)
                    + [problem.line, problem.column].compactMap(\.self).map { ":\($0)" }.joined(),
                problem.sentence
            )
        }
        let expected = [
            ("README", "expected a folder with the id of a project"), ("shop/de/verifyEmail.html.mustache:3:1", "</div> stands where </p>"),
            ("shop/passwordChanged.txt.mustache:1:1", "this mail has no link"), ("shop/resetPasswort.txt.mustache", "unknown file"),
            ("shop/signIn.txt.mustache:1:7", "unknown name {{nmae}}; expected one of link"), ("shop/verifyEmail.html", "unknown file"),
            ("shop/xx", "no language answers the tag xx; expected one of en"),
        ]
        #expect(found.map { String($0.0) } == expected.map(\.0))
        for (found, expected) in zip(found, expected) { #expect(found.1.hasPrefix(expected.1), "\(found.1)") }
    }

    /// V10: the page asks for the confirmation number only if the whole mail shows it.
    @Test(
        arguments: [
            ([:], true), (["verifyEmail.txt.mustache": "{{link}}"], false), (["verifyEmail.txt.mustache": "{{number}} {{link}}"], true),
            (["verifyEmail.txt.mustache": "{{#facts}}{{label}} {{value}}\n{{/facts}}{{link}}"], true),
            (["verifyEmail.txt.mustache": "{{^facts}}x{{/facts}}{{link}}"], false),
            (
                [
                    "verifyEmail.txt.mustache": "{{number}} {{link}}",
                    "verifyEmail.html.mustache": "<html><body><a href=\"{{link}}\">x</a></body></html>",
                ], false
            ), (["resetPassword.txt.mustache": "{{link}}"], true), (["de/verifyEmail.txt.mustache": "{{link}}"], true),
        ] as [([String: String], Bool)])
    func `says whether a mail shows the confirmation number`(files: [String: String], shows: Bool) throws {
        let composer = try mails.composer(files.isEmpty ? .none : mails.files(files))
        #expect(composer.showsNumber(.action(.verifyEmail), language: "en", in: mails.project) == shows)
        let letter = try composer.compose(ProjectMails.letter(.action(.verifyEmail)), in: mails.project)
        #expect((letter.text.contains("4182") && letter.html.contains("4182")) == shows)
    }

    @Test func `is refused if a file is not UTF-8`() throws {
        let file = URL(filePath: mails.folder + "/shop/signIn.txt.mustache")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: mails.folder) }
        try Data([0x7b, 0xff]).write(to: file)
        let error = try #require(throws: InvalidTemplates.self) { try ProjectTemplates(folder: mails.folder, views: mails.views) }
        #expect(error.problems.map(\.sentence) == ["the file is not UTF-8: save it as UTF-8"])
    }
}
