import Foundation
import Testing
@testable import Views

/// P8, Y7, and RFC 4647, section 3.4.
@Suite struct `A language tag` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    @Test(arguments: Shipped.codes) func `finds its language in any case and with underscores`(code: String) {
        for tag in [code, code.uppercased(), code.lowercased(), code.replacing("-", with: "_")] {
            #expect(views.language(matching: tag)?.code == code, "\(tag)")
        }
    }

    @Test(arguments: [
        "../../etc/passwd", "en\r\nX: y", "", "e", "english", "\u{202e}ne", "en ", " en", "en;q=1", "en/", "*", "*-CH", "-", "--", "-en",
        "tlh", "x-en", "i-klingon", "de\u{301}", "ｅｎ", "en\0", String(repeating: "en", count: 5000),
        "en-" + String(repeating: "a", count: 33),
        String(repeating: "en-", count: 5000),
    ])
    func `finds nothing if it is not a tag, or of no shipped language`(tag: String) {
        #expect(views.language(matching: tag) == nil)
        #expect(views.language(liking: [tag]).code == "en")
        #expect(views.language(liking: [tag, "ar"]).code == "ar")
    }

    /// The keys of a project's own words, for a reader of the tag. A language written in another
    /// script is not among them.
    @Test(arguments: [
        ("de-AT-1996", ["de-at-1996", "de-at", "de"]), ("de", ["de"]), ("es-MX", ["es-mx", "es-419", "es"]), ("iw", ["iw", "he"]),
        ("pt", ["pt-br", "pt"]), ("pt-PT", ["pt-pt", "pt"]), ("zh", ["zh-cn", "zh"]), ("zh-TW", ["zh-tw"]),
        ("zh-Hant-HK", ["zh-hant-hk", "zh-hant", "zh-tw"]), ("sr-Latn-ME", ["sr-latn-me", "sr-latn", "sr"]), ("en_GB", ["en-gb", "en"]),
        ("tlh", ["en"]), ("", ["en"]),
    ])
    func `has the keys of its fallbacks`(tag: String, keys: [String]) {
        let found = views.wording(liking: [tag])
        #expect(found.keys == keys && found.language == views.language(liking: [tag]))
        #expect(views.wording(liking: [tag, "ar"]).keys == (views.language(matching: tag) == nil ? ["ar"] : keys))
    }

    /// The tag is cut from the right until it is known.
    @Test(arguments: [
        ("en-US", "en"), ("en-US-x-twain", "en"), ("EN-us-x", "en"), ("de-CH-1996", "de"), ("ar-EG", "ar"), ("fr-CA", "fr"),
        ("fa-AF", "fa"),
        ("sr-Cyrl-RS", "sr"), ("sr-Latn", "sr"), ("sr-Latn-ME", "sr"), ("de_AT", "de"), ("he-IL", "he"), ("hr-BA", "hr"),
        ("ko-Kore-KR", "ko"),
        ("en-u-ca-buddhist", "en"), ("th-TH-u-nu-thai", "th"), ("pl-PL", "pl"), ("fr--CA", "fr"),
    ])
    func `finds the language of its beginning`(tag: String, code: String) { #expect(views.language(matching: tag)?.code == code) }

    @Test(arguments: [
        ("zh", "zh-CN"), ("zh-Hans", "zh-CN"), ("zh-Hans-HK", "zh-CN"), ("zh-SG", "zh-CN"), ("zh-cmn-Hans-CN", "zh-CN"), ("zh_CN", "zh-CN"),
        ("zh-Hant", "zh-TW"), ("zh-Hant-HK", "zh-TW"), ("zh-HK", "zh-TW"), ("zh-MO", "zh-TW"), ("zh-hant-CN", "zh-TW"), ("yue-HK", "zh-TW"),
        ("pt", "pt-BR"), ("pt-US", "pt-BR"), ("pt_BR", "pt-BR"), ("pt-AO", "pt-PT"), ("pt-MZ", "pt-PT"), ("pt-PT-1990", "pt-PT"),
        ("es-MX", "es-419"), ("es-AR", "es-419"), ("es_US", "es-419"), ("es-419-x-a", "es-419"), ("es-ES", "es"), ("es-GQ", "es"),
        ("en-AU", "en-GB"), ("en-NZ", "en-GB"), ("en-IN", "en-GB"), ("en-IE", "en-GB"), ("en-ZA", "en-GB"), ("en_GB", "en-GB"),
        ("en-CA", "en"),
        ("iw", "he"), ("iw-IL", "he"), ("in", "id"), ("in_ID", "id"), ("nb", "no"), ("nn-NO", "no"), ("tl", "fil"), ("tl-PH", "fil"),
        ("mo", "ro"), ("ro-MD", "ro"),
    ])
    func `finds the language that stands for it`(tag: String, code: String) { #expect(views.language(matching: tag)?.code == code) }

    @Test func `has an alias only for shipped languages, and one meaning`() {
        let aliases = LanguageLookup.aliases.values.flatMap(\.self)
        #expect(Set(LanguageLookup.aliases.keys).isSubset(of: Shipped.codes))
        #expect(Set(aliases).count == aliases.count && Set(aliases).isDisjoint(with: Shipped.codes))
    }

    @Test(arguments: [
        ([], "en"), ([""], "en"), (["ar"], "ar"), (["ar-EG", "en"], "ar"), (["tlh", "en", "ar"], "en"), (["*"], "en"),
        (["tlh", "ar"], "ar"),
        (["gsw-CH", "de-CH", "fr"], "de"), (["zh-Hant-HK", "en"], "zh-TW"),
    ]) func `is one of a list, of which the first that is known wins`(tags: [String], code: String) {
        #expect(views.language(liking: tags).code == code)
    }

    /// The switch of languages lists them in this order.
    @Test func `of English comes first, then the others by their own name`() {
        let names = views.languages.map(\.name)
        #expect(names.count == 42 && names[0] == "English" && names[1] == "Bahasa Indonesia")
        for (a, b) in [
            ("Català", "Čeština"), ("Čeština", "Dansk"), ("English (United Kingdom)", "Español (España)"), ("Türkçe", "Ελληνικά"),
        ] {
            #expect(names.firstIndex(of: a) ?? 99 < names.firstIndex(of: b) ?? 0, "\(a), \(b)")
        }
    }
}
