import Accounts
import AppLinks
import Foundation
import Testing
@testable import Views

/// The HTML of mails; only what a program can judge of how mail programs show it.
@Suite struct `The HTML of a mail` {
    static let origin = "https://auth.example"

    let views: Views
    /// A folder with the project's resources and pictures to be logos.
    let folder = FileManager.default.temporaryDirectory.appending(path: "onward-look-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder + "/Public", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/Config", withDestinationPath: Samples.root + "/Config")
        for file in ["onward.css", "onward.js", "onward-client.js", "onward-dev.js", "favicon.svg", "console"] {
            try FileManager.default.copyItem(atPath: "\(Samples.root)/Public/\(file)", toPath: "\(folder)/Public/\(file)")
        }
        let files: [String: [UInt8]] = [
            "wide.png": Pictures.png(width: 960, height: 64), "small.png": Pictures.png(width: 40, height: 20),
            "square.jpg": Pictures.jpeg(width: 512, height: 512), "broken.png": [0x89, 0x50], "logo.webp": Array("RIFF0000WEBPVP8 ".utf8),
        ]
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: "\(folder)/Public/\(name)")) }
        views = try Views(resources: Resources(release: folder))
    }

    /// Every letter in both directions, in the look of a brand.
    func letters(_ brand: Brand) -> [(name: String, letter: SampleLetter, language: Language)] {
        ["en", "ar"].compactMap { views.language(matching: $0) }.flatMap { language in
            Samples().letters(brand).map { name, letter in
                var letter = letter
                letter.origin = Self.origin
                return ("\(name) in \(language.code)", letter, language)
            }
        }
    }

    func brands() throws -> [Brand] {
        [
            try views.brand(name: "Sunlit Notes", links: Brand.Links(help: "help@app.example")),
            try views.brand(
                name: "Notes & \"More\"", logo: .init("wide.png"), accent: Accent(light: "#000000"),
                links: Brand.Links(help: "https://help.example/")),
            try views.brand(name: "Notes", logo: .init("square.jpg", hasName: true), accent: Accent(light: "#767676")),
        ]
    }

    func html(_ letter: SampleLetter, _ language: Language) throws -> String { try views.mail(letter, in: language).html }

    @Test func `is built of closed elements, also for Word, and of tables for layout`() throws {
        let known: Set = [
            "", "b", "html", "head", "meta", "title", "style", "body", "div", "table", "tr", "td", "img", "h1", "p", "span", "br", "a",
            "bdi",
            "time",
        ]
        for brand in try brands().prefix(2) {
            for (name, letter, language) in letters(brand) {
                for reader in [LetterMarkup.Reader.browser, .word] {
                    let markup = try LetterMarkup(html(letter, language), as: reader)
                    let office = reader == .word ? ["xml", "o:OfficeDocumentSettings", "o:PixelsPerInch"] : []
                    #expect(markup.faults == [], "\(name)")
                    for element in markup.root.descendants {
                        #expect(known.union(office).contains(element.name), "\(name): <\(element.name)>")
                        #expect(element.name != "tr" || element.parent?.name == "table", "\(name)")
                        #expect(element.name != "td" || element.parent?.name == "tr", "\(name)")
                        #expect(element.name == "tr" || element.parent?.name != "table", "\(name)")
                        #expect(element.name == "td" || element.parent?.name != "tr", "\(name)")
                        guard element.name == "table" else { continue }
                        let zero = ["cellspacing", "cellpadding", "border"].map { element.attributes[$0] }
                        #expect(element.attributes["role"] == "presentation" && zero == ["0", "0", "0"], "\(name)")
                        #expect(element.attributes["width"] != nil, "\(name)")
                    }
                }
            }
        }
    }

    @Test func `depends on no style sheet, no script and no file but the logo`() throws {
        for brand in try brands().prefix(2) {
            for (name, letter, language) in letters(brand) {
                let html = try html(letter, language)
                let markup = try LetterMarkup(html)
                let allowed: Set = ["href", "src", "style", "class"]
                for element in markup.root.descendants {
                    #expect(!element.attributes.keys.contains { $0.hasPrefix("on") }, "\(name)")
                    for (attribute, value) in element.attributes where !allowed.contains(attribute) {
                        #expect(!value.contains("://"), "\(name): \(attribute)")
                    }
                    let style = element.attributes["style"] ?? ""
                    let unsafe = ["flex", "grid", "position", "float", "url(", "var(", "calc(", "@", "important"]
                    #expect(!unsafe.contains { style.contains($0) }, "\(name): \(style)")
                    let background = element.style("background")
                    #expect(element.name == "body" || background == element.attributes["bgcolor"], "\(name): \(style)")
                }
                for sheet in markup.all("style") { #expect(!sheet.text.contains("url(") && !sheet.text.contains("@import"), "\(name)") }
                #expect(html.utf8.count <= 25_000, "\(name): \(html.utf8.count) bytes")
                #expect(!html.split(separator: "\n").contains { $0.utf8.count > 900 && !$0.contains("href") }, "\(name)")
            }
        }
    }

    /// P6: the logo has one address for all mails of a project, so it does not tell who reads.
    @Test func `shows the logo, or else the name`() throws {
        for (file, size) in [("wide.png", ["240", "16"]), ("small.png", ["40", "20"]), ("square.jpg", ["32", "32"])] {
            let brand = try views.brand(name: "Notes & \"More\"", logo: .init(file, hasName: true))
            let addresses = try letters(brand).map { name, letter, language in
                let pictures = try LetterMarkup(html(letter, language)).all("img")
                let image = try #require(pictures.first)
                #expect(pictures.count == 1 && image.attributes["alt"] == "Notes & \"More\"", "\(name)")
                #expect([image.attributes["width"], image.attributes["height"]] == size, "\(name)")
                return image.attributes["src"]
            }
            #expect(Set(addresses) == [Self.origin + (brand.logo?.mail?.picture.path ?? "")])
        }
        for file in ["favicon.svg", "broken.png", "logo.webp", nil] {
            for (name, letter, language) in letters(try views.brand(name: "Notes & \"More\"", logo: file.map { .init($0) })) {
                let markup = try LetterMarkup(html(letter, language))
                #expect(markup.all("img").isEmpty && markup.all("bdi").first?.text == "Notes & \"More\"", "\(name)")
            }
        }
        // Mails have one picture, in dark mode as well.
        for (logo, plates) in [(Brand.LogoFiles("small.png", dark: "wide.png"), 1), (.init("small.png", dark: "small.png"), 0)] {
            let (_, letter, language) = try #require(letters(try views.brand(name: "Notes", logo: logo)).first)
            #expect(try LetterMarkup(html(letter, language)).all(class: "plate").count == plates)
        }
        for (name, letter, language) in letters(try views.brand(name: "Notes", logo: .init("favicon.svg", mail: "square.jpg"))) {
            let markup = try LetterMarkup(html(letter, language))
            #expect(markup.all("img").map { $0.attributes["alt"] } == [""] && markup.all("bdi").first?.text == "Notes", "\(name)")
        }
        var letter = try #require(letters(try views.brand(name: "Notes", logo: .init("wide.png"))).first).letter
        letter.origin = nil
        #expect(try LetterMarkup(html(letter, views.languages[0])).all("img").isEmpty)
    }

    /// P8. Gmail drops the attributes of `<html>`, and Word reads direction and alignment of cells.
    @Test func `has its language and direction where mail programs look for them`() throws {
        for (name, letter, language) in letters(try brands()[0]) {
            let markup = try LetterMarkup(html(letter, language))
            let (direction, side) = language.isRightToLeft ? ("rtl", "right") : ("ltr", "left")
            let article = try #require(markup.root.descendants.first { $0.attributes["role"] == "article" })
            let subject = try views.mail(letter, in: language).subject
            for element in [try #require(markup.all("html").first), article] {
                #expect(element.attributes["lang"] == language.code && element.attributes["dir"] == direction, "\(name)")
            }
            #expect(article.attributes["aria-label"] == subject && markup.all("title").first?.text == subject, "\(name)")
            #expect(markup.all("h1").map(\.wholeText) == [subject], "\(name)")
            for cell in markup.all("td") where cell.classes.contains("text") || cell.classes.contains("faint") {
                #expect(cell.attributes["align"] == side, "\(name)")
                #expect(cell.attributes["dir"] == (cell.classes.contains("copy") ? "ltr" : direction), "\(name)")
            }
        }
    }

    /// Source: WCAG 2.2, 1.4.3 and 1.4.11.
    @Test func `has enough contrast in light and in dark mode, with and without its style sheet`() throws {
        let usual = Colour(red: 0, green: 0, blue: 0xee)
        for brand in try brands() {
            for (name, letter, language) in letters(brand) {
                let markup = try LetterMarkup(html(letter, language))
                let dark = markup.darkRules(ofOutlook: false)
                #expect(dark == markup.darkRules(ofOutlook: true) && dark.count == 10, "\(name)")
                let schemes = [LetterColours(rules: [:], link: nil), .init(rules: [:], link: usual), .init(rules: dark, link: nil)]
                for (scheme, colours) in schemes.enumerated() {
                    for element in markup.all("body").flatMap(\.descendants) where element.isVisible {
                        let contrast = try #require(colours.colour(of: element)).contrast(to: #require(colours.background(of: element)))
                        #expect(contrast >= 4.5, "\(name), scheme \(scheme): \(element.text)")
                    }
                    for button in markup.all(class: "button") {
                        let (fill, card) = (try #require(colours.background(of: button)), markup.all(class: "card")[0])
                        #expect(fill.contrast(to: try #require(colours.background(of: card))) >= 3, "\(name), scheme \(scheme)")
                    }
                }
            }
        }
    }

    @Test func `begins with a hidden summary and has a button that says what it does`() throws {
        for (name, letter, language) in letters(try brands()[0]) {
            let markup = try LetterMarkup(html(letter, language))
            let summary = try #require(markup.all("body").first?.children.first)
            #expect(summary.style("display") == "none" && summary.style("mso-hide") == "all", "\(name)")
            #expect(summary.children.isEmpty && !summary.text.isEmpty && markup.all("p").map(\.wholeText).contains(summary.text), "\(name)")
            guard let link = letter.letter.link else {
                let all = ["button", "outline", "copy"].flatMap { markup.all(class: $0) }
                #expect(all.isEmpty, "\(name)")
                continue
            }
            // The button of a mail about a change has less weight: most have nothing to undo.
            let isQuiet = letter.letter.kind.action?.isUndo ?? true
            let isOutlined = markup.all(class: "outline").count == 1
            #expect(isOutlined == isQuiet && markup.all(class: "button").isEmpty == isQuiet, "\(name)")
            let button = try #require(markup.all(class: isQuiet ? "outline" : "button").first?.children.first)
            #expect(button.attributes["href"] == link && button.style("text-decoration") == "none", "\(name)")
            if let action = letter.letter.kind.action {
                let phrases = language.phrases
                let title =
                    switch name.split(separator: " ").first {
                    case "addEmail": phrases.addEmail.title
                    case "choosePassword", "invitation": phrases.choosePassword.title
                    default: phrases.confirm[action].title
                    }
                #expect(button.wholeText == language.plain(title, letter.brand.arguments), "\(name)")
            } else {
                let title = language.plain(language.phrases.next.button, [.host: .address("notes.app.example")])
                #expect(button.wholeText == title, "\(name)")
            }
            let copy = try #require(markup.all(class: "copy").first)
            #expect(copy.text == link && copy.children.isEmpty && copy.style("word-break") == "break-all", "\(name)")
        }
    }
}

extension LetterElement {
    /// Whether the element itself has text that is shown.
    fileprivate var isVisible: Bool {
        text.contains { !$0.isWhitespace } && !ancestors.contains { $0.style("display") == "none" }
    }
}

/// The beginnings of pictures, up to their size.
private enum Pictures {
    static func png(width: Int, height: Int) -> [UInt8] {
        let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        return start + [0, 0] + number(width) + [0, 0] + number(height) + [8, 6, 0, 0, 0]
    }

    /// With a comment and a table before its frame.
    static func jpeg(width: Int, height: Int) -> [UInt8] {
        let start: [UInt8] = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 0x41, 0x42, 0xff, 0xff, 0xc4, 0, 3, 0]
        return start + [0xff, 0xc2, 0, 11, 8] + number(height) + number(width) + [1, 0, 0]
    }

    private static func number(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}
