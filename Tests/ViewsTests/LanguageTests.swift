import Foundation
import Testing

@testable import Views

@Suite struct `A language` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    /// P8.
    @Test(arguments: ["../../etc/passwd", "en\r\nX: y", "EN-us-x", "", "e", "english", "\u{202e}ne", String(repeating: "en", count: 5000)])
    func `is found by nothing but its tag`(tag: String) {
        #expect(views.language(matching: tag) == nil)
    }

    @Test(arguments: [("en", "en"), ("AR", "ar")]) func `is found by its tag`(tag: String, code: String) {
        #expect(views.language(matching: tag)?.code == code)
    }

    @Test(arguments: [
        ([], "en"), ([""], "en"), (["ar"], "ar"), (["ar-EG", "en"], "ar"), (["fr", "en", "ar"], "en"), (["AR-eg"], "ar"), (["*"], "en"),
        (["fr-ar", "xx"], "en"), (["xx", "ar"], "ar"),
    ]) func `is the first shipped one of a list of preferences, by tag or by first subtag`(tags: [String], code: String) {
        #expect(views.language(liking: tags).code == code)
    }

    /// A phrase has the same arguments in every language, except that a language may write a number as
    /// a word.
    @Test(arguments: ["ar"]) func `has the same arguments in each phrase as English`(code: String) throws {
        let english = try arguments("en")
        for (key, names) in try arguments(code) where !key.contains("durations") && !key.contains("imum") {
            #expect(names == english[key], "\(key)")
        }
    }

    func arguments(_ code: String) throws -> [String: Set<String>] {
        func leaves(_ value: Any, _ path: String) -> [(String, Set<String>)] {
            if let object = value as? [String: Any] { return object.flatMap { leaves($0.value, "\(path).\($0.key)") } }
            return [(path, Set(String(describing: value).matches(of: #/{\w+}/#).map { String($0.0) }))]
        }
        let file = URL(filePath: "\(Samples.root)/Config/languages/\(code).json")
        return Dictionary(uniqueKeysWithValues: leaves(try JSONSerialization.jsonObject(with: Data(contentsOf: file)), ""))
    }

    /// Source: CLDR plural rules, samples.
    @Test(arguments: [
        (0, PluralRule.Category.zero), (1, .one), (2, .two), (3, .few), (10, .few), (11, .many), (99, .many), (100, .other), (102, .other),
        (103, .few), (111, .many),
    ]) func `has the plural categories of Arabic`(count: Int, category: PluralRule.Category) {
        #expect(PluralRule.arabic.category(of: count) == category)
    }

    @Test(arguments: [
        (PluralRule.oneOrMore, [0, 2]), (.upToOne, [2, 5]), (.none, [0, 1, 2, 21]), (.westSlavic, [0, 5, 12]),
    ]) func `has the category other for all but one`(rule: PluralRule, counts: [Int]) {
        #expect(counts.allSatisfy { rule.category(of: $0) == .other } && (rule == .none || rule.category(of: 1) == .one))
    }

    @Test(arguments: [(1, PluralRule.Category.one), (21, .one), (11, .many), (3, .few), (13, .many), (25, .many)])
    func `has the plural categories of Russian`(count: Int, category: PluralRule.Category) {
        #expect(PluralRule.eastSlavic.category(of: count) == category)
    }

    @Test(arguments: [
        (-5, "1 minute"), (59, "1 minute"), (120, "2 minutes"), (3599, "1 hour"), (3600, "1 hour"), (5400, "90 minutes"),
        (86_400, "1 day"), (100_000, "28 hours"), (200_000, "2 days"),
    ])
    func `writes a duration in its largest fitting unit`(seconds: Double, words: String) throws {
        let english = views.languages[0]
        let duration = english.value(of: english.distance(from: Samples.now, to: Samples.now + seconds))
        guard case .phrase(let phrase, let arguments) = duration else { throw Problem() }
        #expect(english.plain(phrase, arguments) == words)
    }

    struct Problem: Error {}
}
