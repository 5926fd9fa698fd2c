import Accounts
import AppLinks
import Testing
import Views

@Suite struct `A mail` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    /// L6: a link survives its mail, and what mail programs and hands do to it. M7: text and HTML
    /// have the same link, and the HTML escapes names and addresses.
    @Test(arguments: ["en", "ar"]) func `has one link: on the button, as text below it and in the text part`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for (name, letter) in try Samples().letters(Samples().brand(views)) {
            let mail = try views.mail(letter, in: language)
            let html = Markup(mail.html)
            let links = html.all("a").compactMap { $0.values["href"] }.filter { $0.hasPrefix("https:") }
            let lines = mail.text.split(separator: "\n").filter { $0.contains("://") }.map(String.init)
            guard let link = letter.letter.link else {
                #expect(links.isEmpty && lines.isEmpty, "\(name)")
                continue
            }
            #expect(links == [link] && html.text.ranges(of: link).count == 1, "\(name)")
            #expect(lines == [link], "\(name)")
        }
    }

    @Test(arguments: ["en", "ar"]) func `names the account in both parts, in short lines`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for (name, letter) in try Samples().letters(Samples().brand(views)) {
            let mail = try views.mail(letter, in: language)
            #expect([mail.text, mail.html].allSatisfy { $0.contains("ada.lovelace@app.example") }, "\(name)")
            #expect(mail.text.split(separator: "\n").allSatisfy { $0.count <= 72 || $0.contains("://") }, "\(name)")
            #expect(!mail.text.contains("\n\n\n") && !mail.text.contains("{") && !mail.html.contains("{{"), "\(name)")
            #expect(mail.subject.contains("Sunlit Notes"), "\(name)")
        }
    }

    /// M6: a mail has one recipient, and no input makes a line of its header.
    @Test func `has a subject of one line, whatever the app's name`() throws {
        for (name, letter) in try Samples(words: "A\r\nBcc: b@c.example\u{0}\u{85}\u{2028}z").letters(
            Samples(words: "A\r\nBcc: b@c.example\u{0}\u{85}\u{2028}z").brand(views))
        {
            let subject = try views.mail(letter, in: views.languages[0]).subject
            #expect(
                !subject.contains { $0.isNewline } && subject.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "\(name)")
        }
    }

    /// P6: no picture without a logo, and nothing else that would tell when the mail was read.
    @Test func `without a logo loads nothing from a server`() throws {
        for (name, letter) in try Samples().letters(Samples().brand(views)) {
            let tags = Markup(try views.mail(letter, in: views.languages[0]).html).tags
            #expect(!tags.contains { ["img", "link", "script"].contains($0.name) || $0.attributes.contains("src") }, "\(name)")
        }
    }
}
