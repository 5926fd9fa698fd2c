import Accounts
import AppLinks
import Base
import Foundation
import Testing
import Views

/// P7, M7, M10: texts of users and apps change the text of a page or mail, and nothing else.
@Suite struct `Hostile texts` {
    static let ours = [
        "{{7*7}}", "{{app}}{{{app}}}{{#form}}x{{/form}}{{>pages.layout}}", "{app} {link}", "%LINK%", "<script>alert(1)</script>",
        "\" onmouseover=\"alert(1)", "' autofocus onfocus='alert(1)", "</title><h1>", "&lt;b&gt;&amp;", "`${7*7}`", "-->", "]]>",
        "\u{202e}gpj",
        // swift-mustache's own escaping lets these pass: the quotation mark and its accent are one
        // character.
        "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "<\u{301}b>", "'\u{338}", "\0", "a\r\nBcc: b@c.example", "👩‍🚀\"",
    ]
    static let folder = sequence(first: URL(filePath: Samples.root)) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
        .map { $0.appending(path: "shared/data/inject") }.first { FileManager.default.fileExists(atPath: $0.path) }

    let views: Views

    init() throws { views = try Samples.views.get() }

    /// The tags and text of every page, or of one in `every` pages, and of one letter.
    func rendered(_ words: String?, every: Int = 1, from start: Int = 0) throws -> [String: Markup] {
        let samples = Samples(words: words)
        let language = try #require(views.language(matching: start % 2 == 0 ? "en" : "ar"))
        let brand = try samples.brand(views)
        let picked = { (index: Int) in (index + start) % every == 0 }
        var all: [String: Markup] = [:]
        for (index, (name, page)) in samples.pages(brand).enumerated() where picked(index) {
            all[name] = Markup(views.text(page, in: language))
        }
        for (index, (name, letter)) in samples.letters(brand).enumerated() where picked(index) {
            var nameless = letter
            nameless.letter.displayName = nil
            all[name] = Markup(try views.mail(nameless, in: language).html)
        }
        for (index, (name, page)) in samples.devPages(brand).enumerated() where picked(index) { all[name] = Markup(views.text(page)) }
        return all
    }

    func expectOnlyText(_ words: String, _ pages: [String: Markup], like benign: [String: Markup]) {
        for (name, page) in pages {
            #expect(page.tags.map(\.shape) == benign[name]?.tags.map(\.shape), "\(name): \(words)")
            #expect(words.contains("49") || !page.text.contains("49"), "\(name): \(words)")
        }
    }

    @Test(arguments: ours) func `of this test stay text on every page`(words: String) throws {
        let pages = try rendered(words)
        expectOnlyText(words, pages, like: try rendered("plain"))
        let shown = words.replacing("\0", with: "\u{fffd}")
        #expect(pages["done-verifyEmail-next"]?.text.range(of: shown, options: .literal) != nil)
    }

    @Test(.enabled(if: folder != nil, "shared/data is not here")) func `from the lists stay text`() throws {
        let folder = try #require(Self.folder)
        var lists = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
            $0.pathExtension == "txt"
        }
        .flatMap { String(decoding: try Data(contentsOf: $0), as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init) }
        lists += try JSONDecoder().decode([String].self, from: Data(contentsOf: folder.appending(path: "naughty-strings.json")))
        #expect(lists.count > 1400)
        let benign = [try rendered("plain", from: 0), try rendered("plain", from: 1)]
        // Eight at a time: one that breaks out breaks the page for all.
        for (index, start) in stride(from: 0, to: lists.count, by: 8).enumerated() {
            let words = lists[start..<min(start + 8, lists.count)].joined(separator: " ")
            expectOnlyText(words, try rendered(words, every: 20, from: index), like: benign[index % 2])
        }
    }

    func letter(_ kind: LetterKind, name: String, factor: String) throws -> Letter {
        var letter = Letter(kind, to: try #require(EmailAddress("ada@app.example")), language: "en", createdAt: Timestamp(Samples.now))
        (letter.displayName, letter.secondFactor) = (name, factor)
        if kind.action != nil { (letter.link, letter.expiresAt) = ("https://app.example/x", letter.createdAt) }
        return letter
    }

    @Test(arguments: ["WIN at evil.example", "http://evil.example", "a@b.example", "x\nBcc: y", String(repeating: "a", count: 61)])
    func `are not mailed as a name if they could be a link`(name: String) throws {
        let brand = try Samples().brand(views)
        for kind in [LetterKind.notice(.secondFactorRemoved), .action(.revertSecondFactorAddition)] {
            let mail = try views.mail(letter(kind, name: name, factor: name), in: views.languages[0], for: brand)
            #expect(!mail.text.contains(name) && !Markup(mail.html).text.contains(name))
        }
    }

    /// A factor may be a telephone number, and a person is none.
    @Test(arguments: [
        "You won 500 euros, call 0900 123456", "Ada \u{202e}eht", String(repeating: "e\u{301}\u{302}\u{303}\u{304}", count: 40),
    ])
    func `are not mailed as the name of a person if they are more`(name: String) throws {
        let letter = try letter(.notice(.secondFactorRemoved), name: name, factor: "+15555550100")
        let mail = try views.mail(letter, in: views.languages[0], for: Samples().brand(views))
        #expect(!mail.text.contains(name) && mail.text.contains("+15555550100"))
    }
}
