import Accounts
import AppLinks
import Base
import Foundation
import Network
import Testing
@testable import Views

@Suite struct `A compiled page` {
    /// The first and the last mark, which Swift's source cannot contain.
    static let mark = String(decoding: [0xef, 0xb7, 0x90], as: UTF8.self)
    static let lastMark = String(decoding: [0xef, 0xb7, 0xaf], as: UTF8.self)

    let views: Views

    init() throws { views = try Views(resources: Resources(release: Samples.root)) }

    /// Other texts come first, so that the test would find them if they stayed in the compiled
    /// page.
    @Test(arguments: ["en", "ar"]) func `has the same bytes as its template renders`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let brand = try Samples().brand(views)
        for words in [
            nil, "other", "<b>\"&'\r\0", "", "{{app}}{app}", Self.mark + Self.lastMark, "\n", String(repeating: "ü", count: 5000),
        ] {
            for (name, page) in Samples(words: words).pages(brand) {
                #expect(views.text(page, in: language) == views.rendered(page, in: language), "\(name): \(words ?? "")")
            }
        }
    }

    /// A stranger who asks for pages that are not there displaces no other page.
    @Test func `of a page that is missing is compiled once, whatever its path`() throws {
        let brand = try Samples().brand(views)
        for path in ["/a", "/b?\"<", "/" + String(repeating: "x", count: 2000)] {
            let page = Page(
                .error(ErrorPage(.notFound)), brand: brand, now: Samples.now, languageSwitch: LanguageSwitch(form: Form(path: path)))
            #expect(views.text(page, in: views.languages[0]) == views.rendered(page, in: views.languages[0]))
        }
        #expect(views.compiledPages.count == 1)
    }

    @Test func `is compiled once, whatever texts users, apps and requests bring`() throws {
        let brand = try Samples().brand(views)
        func show(_ words: String?) { for (_, page) in Samples(words: words).pages(brand) { _ = views.html(page, in: views.languages[0]) } }
        show(nil)
        let count = views.compiledPages.count
        #expect(count > 50)
        for words in ["a", "b", Self.mark, "<script>"] { show(words) }
        #expect(views.compiledPages.count == count)
    }

    /// Otherwise strangers could fill the cache, with an account each.
    @Test func `the page of a first address is compiled once, whenever its account was made`() throws {
        let brand = try Samples().brand(views)
        func show(_ age: Double) {
            let page = ConfirmationPage(
                .verifyAndChangeEmail, form: Form(path: "/"), newAccount: "a@app.example", accountCreated: Samples.now - age)
            _ = views.html(Page(.confirm(page), brand: brand, now: Samples.now), in: views.languages[0])
        }
        // Each unit has a shape, and no further one.
        show(9 * 86_400)
        let count = views.compiledPages.count
        for days in 10..<20 { show(Double(days) * 86_401) }
        #expect(views.compiledPages.count == count)
    }

    /// Every number, plural form and unit of a language, on both sides of each limit.
    @Test(arguments: ["en", "ar"]) func `formats every time as its template does`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let brand = try Samples().brand(views)
        let spans = Array(0...125) + [179, 180, 1439, 1440, 2879, 2880, 4320, 14_400, 15_840, 142_560, 144_000, 1_440_000, -5]
        for minutes in spans {
            let moment = Samples.now + Double(minutes) * 60
            for content in [
                Page.Content.confirm(ConfirmationPage(.verifyEmail, form: Form(path: "/"), expires: moment, newerSent: Samples.now - 60)),
                .error(ErrorPage(.expired(.past(moment)))), .error(ErrorPage(.tooManyTries(.future(moment)))),
            ] {
                let page = Page(content, brand: brand, now: Samples.now)
                #expect(views.text(page, in: language) == views.rendered(page, in: language), "\(minutes)")
            }
        }
    }

    /// A page with more texts than there are marks is rendered by its template.
    @Test func `is not used for a page with too many texts`() throws {
        let form = Form(path: "/", hidden: (0..<100).map { Form.Field("f\($0)", "value \($0)") })
        let page = Page(.confirm(ConfirmationPage(.verifyEmail, form: form)), brand: try Samples().brand(views), now: Samples.now)
        #expect(views.text(page, in: views.languages[0]) == views.rendered(page, in: views.languages[0]))
        #expect(views.compiledPages.count == 0)
    }

    @Test(arguments: [mark, "App" + lastMark]) func `cannot be confused by a brand that contains a mark, which is refused`(name: String) {
        #expect(throws: ResourceError.self) { try views.brand(name: name) }
    }
}
