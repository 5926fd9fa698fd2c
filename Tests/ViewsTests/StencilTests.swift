import AppLinks
import Foundation
import Testing

@testable import Views

/// A page is put together from what its template said of another of its shape.
@Suite struct `A page's stencil` {
    /// What a blank is marked with, and the last of its kind. In Swift's source they cannot be written.
    static let mark = String(decoding: [0xef, 0xb7, 0x90], as: UTF8.self)
    static let lastMark = String(decoding: [0xef, 0xb7, 0xaf], as: UTF8.self)

    let views: Views

    init() throws { views = try Views(resources: Samples.root) }

    /// Other texts first, so that they would show if they stayed in it.
    @Test(arguments: ["en", "ar"]) func `says byte for byte what the template says`(code: String) throws {
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

    @Test func `is the same for whatever people, apps and requests write`() throws {
        let brand = try Samples().brand(views)
        func show(_ words: String?) { for (_, page) in Samples(words: words).pages(brand) { _ = views.html(page, in: views.languages[0]) } }
        show(nil)
        let count = views.stencils.count
        #expect(count > 50)
        for words in ["a", "b", Self.mark, "<script>"] { show(words) }
        #expect(views.stencils.count == count)
    }

    /// Every number, form and unit of a language, on either side of each border.
    @Test(arguments: ["en", "ar"]) func `says every time as the template says it`(code: String) throws {
        let language = try #require(views.language(matching: code))
        let brand = try Samples().brand(views)
        let spans = Array(0...125) + [179, 180, 1439, 1440, 2879, 2880, 4320, 14_400, 15_840, 142_560, 144_000, 1_440_000, -5]
        for minutes in spans {
            let moment = Samples.now + Double(minutes) * 60
            for content in [
                Page.Content.confirm(Confirmation(.verifyEmail, form: Form(path: "/"), expires: moment, newerSent: Samples.now - 60)),
                .trouble(Trouble(.expired(.past(moment)))), .trouble(Trouble(.tooManyTries(.ahead(moment)))),
            ] {
                let page = Page(content, brand: brand, now: Samples.now)
                #expect(views.text(page, in: language) == views.rendered(page, in: language), "\(minutes)")
            }
        }
    }

    /// A page with more texts than there are marks is left to its template.
    @Test func `is done without where it has too many blanks`() throws {
        let form = Form(path: "/", hidden: (0..<100).map { Form.Field("f\($0)", "value \($0)") })
        let page = Page(.confirm(Confirmation(.verifyEmail, form: form)), brand: try Samples().brand(views), now: Samples.now)
        #expect(views.text(page, in: views.languages[0]) == views.rendered(page, in: views.languages[0]))
        #expect(views.stencils.count == 0)
    }

    @Test func `begins anew where there are too many shapes`() {
        let memory = BoundedCache<Int, Int>(capacity: 3)
        for key in 0..<100 {
            #expect(memory[key, or: key * 2] == key * 2 && memory[key, or: 0] == key * 2)
            #expect(memory.count <= 3)
        }
    }

    @Test(arguments: [mark, "App" + lastMark]) func `is not confused by a brand that holds a mark`(name: String) {
        #expect(throws: Views.Unusable.self) { try views.brand(name: name) }
    }
}
