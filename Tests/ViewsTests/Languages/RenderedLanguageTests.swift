import Accounts
import AppLinks
import Base
import Foundation
import Testing
@testable import Views

/// Every page and mail in every language.
@Suite struct `In a language` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    /// P8. The switch is looked at on one page, because it is the same on all.
    @Test(arguments: Shipped.codes) func `every page is complete`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let html = Data("<html lang=\"\(code)\" dir=\"\(Shipped.rightToLeft.contains(code) ? "rtl" : "ltr")\">".utf8)
        let empty = ["<title></title>", "<h1></h1>", "<p></p>", "<bdi></bdi>", "<span></span>", "<dd></dd>", "<dt></dt>", "{"]
        for (name, page) in try Samples().pages(Samples().brand(views)) {
            var page = page
            page.languageSwitch = nil
            var bytes = Data(views.html(page, in: language))
            // The list of symbols has braces.
            if let symbols = bytes.range(of: Data("{ }".utf8)) { bytes.removeSubrange(symbols) }
            #expect(bytes.range(of: html) != nil, "\(name)")
            for part in empty {
                #expect(bytes.range(of: Data(part.utf8)) == nil, "\(name): \(part)")
            }
        }
    }

    /// A page with the most text, as a template renders it and as it is compiled.
    @Test(arguments: Shipped.codes) func `a compiled page is what its template renders`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let samples = Samples(words: "<other>")
        for (name, page) in try samples.pages(samples.brand(views))
        where ["confirm-resetPassword", "confirm-newer", "error-tooManyTries-ways", "done-recoverEmail-next"].contains(name) {
            #expect(views.text(page, in: language) == views.rendered(page, in: language), "\(name)")
        }
    }

    @Test(arguments: Shipped.codes) func `the switch offers every language in its own words and direction`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let page = try #require(try Samples().pages(Samples().brand(views)).first).page
        let options = Markup(views.text(page, in: language)).all("option")
        #expect(
            options.map { $0.values["value"] } == views.languages.map(\.code)
                && options.map { $0.values["lang"] } == views.languages.map(\.code))
        #expect(options.filter { $0.attributes.contains("selected") }.map { $0.values["value"] } == [code])
        for option in options {
            let isForeign = Shipped.rightToLeft.contains(option.values["value"] ?? "") != Shipped.rightToLeft.contains(code)
            #expect((option.values["dir"] != nil) == isForeign, "\(option)")
        }
    }

    /// The limit of twenty kilobytes includes the style sheet and the script, compressed:
    /// `WebTests/PageWeightTests`.
    @Test(arguments: Shipped.codes) func `a page has less than nine kilobytes`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for (name, page) in try Samples().pages(Samples().brand(views)) where name.hasPrefix("confirm") || name.hasSuffix("-ways") {
            #expect(views.html(page, in: language).count < 9_000, "\(name)")
        }
    }

    /// M7, L6: once to press, once to read in the HTML part, and once in the text part.
    @Test(arguments: Shipped.codes) func `every mail has its link once in each part`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for (name, letter) in try Samples().letters(Samples().brand(views)) {
            let mail = try views.mail(letter, in: language)
            let html = Markup(mail.html)
            let targets = html.all("a").compactMap { $0.values["href"] }.filter { !$0.hasPrefix("mailto:") }
            guard let link = letter.letter.link else {
                #expect(targets.isEmpty && !mail.text.contains("://"), "\(name)")
                continue
            }
            #expect(Set(targets) == [link] && html.text.ranges(of: link).count == 1, "\(name)")
            #expect(mail.text.split(separator: "\n").filter { $0.contains("://") } == [link[...]], "\(name)")
        }
    }

    @Test(arguments: Shipped.codes) func `every mail states its facts in short lines`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for (name, letter) in try Samples().letters(Samples().brand(views)) {
            let mail = try views.mail(letter, in: language)
            let html = Markup(mail.html)
            #expect(html.all("html").first?.values["lang"] == code, "\(name)")
            #expect((html.all("html").first?.values["dir"] == "rtl") == Shipped.rightToLeft.contains(code), "\(name)")
            let device = [letter.letter.device?.browser, letter.letter.device?.system].compactMap(\.self)
            let account = ["ada.lovelace@app.example"]
            let number = letter.letter.kind.action?.changesByPressAlone == true ? ["4182"] : []
            for fact in account + device + number {
                #expect(mail.text.contains(fact) && html.text.contains(fact), "\(name): \(fact)")
            }
            #expect(mail.subject.contains("Sunlit Notes") && !mail.subject.contains("{"), "\(name)")
            #expect(!mail.text.contains("{") && !mail.html.contains("{{") && !mail.text.contains("\n\n\n"), "\(name)")
            for line in mail.text.split(separator: "\n") where !line.contains("://") {
                #expect(String(line).monospacedWidth <= 72, "\(name): \(line)")
                #expect(!"。、，）」』：；！？ーっゃゅょッャュョ".contains(line.first ?? " "), "\(name): \(line)")
            }
        }
    }
}

/// The facts of a mail about its request.
@Suite struct `A mail about a request` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    func text(_ kind: LetterKind, _ change: (inout Letter) -> Void = { _ in }) throws -> String {
        var letter = Letter(kind, to: try #require(EmailAddress("ada@app.example")), language: "en", createdAt: Timestamp(Samples.now))
        if kind.action != nil { (letter.link, letter.expiresAt) = ("https://app.example/x", letter.createdAt + .seconds(3600)) }
        change(&letter)
        return try views.mail(letter, in: views.languages[0], for: Samples().brand(views)).text.replacing("\u{a0}", with: " ")
    }

    @Test func `says what asked for it, when, until when it works, and its number`() throws {
        let full = try text(.action(.verifyEmail)) { letter in
            letter.device = ClientDevice(browser: "Firefox", system: "Android")
            letter.confirmationNumber = "4182"
        }
        #expect(
            full.contains(
                """
                If the page asks for a number, it is 4182.

                Link expires at 1:00 PM UTC
                Requested with: Firefox on Android
                Requested: November 21, 2026 at 12:00 PM UTC

                """), "\(full)")
        let bare = try text(.action(.resetPassword)) { $0.confirmationNumber = "4182" }
        #expect(!bare.contains("Requested with") && !bare.contains("4182") && bare.contains("Link expires at "))
        let late = try text(.action(.recoverEmail)) { $0.expiresAt = $0.createdAt + .seconds(30 * 86_400) }
        #expect(late.contains("Link expires in 30 days, on December 21, 2026 at 12:00 PM UTC\nWhen: November 21"))
    }

    @Test func `says when something happened and with which device`() throws {
        let notice = try text(.notice(.newNetwork)) { $0.device = ClientDevice(browser: "Firefox", system: "Android") }
        #expect(notice.contains("\nDevice: Firefox on Android\nWhen: November 21, 2026 at 12:00 PM UTC\n"))
    }

    /// A client chooses the text that its device is read from.
    @Test(arguments: ["http://evil.example", "WIN at evil.example", "a\nb", String(repeating: "a", count: 61)])
    func `does not name a device that could be a link`(name: String) throws {
        func text(_ browser: String?, _ system: String?) throws -> String {
            try self.text(.notice(.newNetwork)) { $0.device = ClientDevice(browser: browser, system: system) }
        }
        #expect(
            try text(name, "Android").contains("Device: Android\n") && text("Firefox", name).contains("Device: Firefox\n"))
        #expect(try !text(name, nil).contains("Device") && !text(nil, name).contains("Device"))
    }
}
