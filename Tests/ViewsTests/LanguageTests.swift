import Foundation
import Testing

@testable import Views

@Suite struct `A language` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    /// P8.
    @Test(arguments: ["../../etc/passwd", "en\r\nX: y", "EN-us-x", "", "e", "english", "\u{202e}ne", String(repeating: "en", count: 5000)])
    func `is never found by anything but its tag`(tag: String) {
        #expect(views.language(matching: tag) == nil)
    }

    @Test(arguments: [("en", "en"), ("AR", "ar")]) func `is found by its tag`(tag: String, code: String) {
        #expect(views.language(matching: tag)?.code == code)
    }

    @Test(arguments: [
        ([], "en"), ([""], "en"), (["ar"], "ar"), (["ar-EG", "en"], "ar"), (["fr", "en", "ar"], "en"), (["AR-eg"], "ar"), (["*"], "en"),
        (["fr-ar", "xx"], "en"), (["xx", "ar"], "ar"),
    ]) func `is the first that is shipped, by its tag or its first part`(tags: [String], code: String) {
        #expect(views.language(liking: tags).code == code)
    }

    /// The same sentence leaves the same things open everywhere; a number may be a word of its own.
    @Test(arguments: ["ar"]) func `leaves open what English leaves open`(code: String) throws {
        let english = try blanks("en")
        for (key, open) in try blanks(code) where !key.contains("durations") && !key.contains("imum") {
            #expect(open == english[key], "\(key)")
        }
    }

    func blanks(_ code: String) throws -> [String: Set<String>] {
        func leaves(_ value: Any, _ path: String) -> [(String, Set<String>)] {
            if let object = value as? [String: Any] { return object.flatMap { leaves($0.value, "\(path).\($0.key)") } }
            return [(path, Set(String(describing: value).matches(of: #/{\w+}/#).map { String($0.0) }))]
        }
        let file = URL(filePath: "\(Samples.root)/Config/languages/\(code).json")
        return Dictionary(uniqueKeysWithValues: leaves(try JSONSerialization.jsonObject(with: Data(contentsOf: file)), ""))
    }

    /// Source: CLDR plural rules, samples.
    @Test(arguments: [
        (0, PluralRule.Form.zero), (1, .one), (2, .two), (3, .few), (10, .few), (11, .many), (99, .many), (100, .other), (102, .other),
        (103, .few), (111, .many),
    ]) func `counts in Arabic`(count: Int, form: PluralRule.Form) {
        #expect(PluralRule.arabic.form(of: count) == form)
    }

    @Test(arguments: [
        (PluralRule.oneOrMore, [0, 2]), (.upToOne, [2, 5]), (.none, [0, 1, 2, 21]), (.westSlavic, [0, 5, 12]),
    ]) func `uses its general form`(rule: PluralRule, counts: [Int]) {
        #expect(counts.allSatisfy { rule.form(of: $0) == .other } && (rule == .none || rule.form(of: 1) == .one))
    }

    @Test(arguments: [(1, PluralRule.Form.one), (21, .one), (11, .many), (3, .few), (13, .many), (25, .many)])
    func `counts in Russian`(count: Int, form: PluralRule.Form) {
        #expect(PluralRule.eastSlavic.form(of: count) == form)
    }

    @Test(arguments: [
        (-5, "1 minute"), (59, "1 minute"), (120, "2 minutes"), (3599, "1 hour"), (3600, "1 hour"), (5400, "90 minutes"),
        (86_400, "1 day"), (100_000, "28 hours"), (200_000, "2 days"),
    ])
    func `tells how long`(seconds: Double, words: String) throws {
        let english = views.languages[0]
        let duration = english.saying(english.span(from: Samples.now, to: Samples.now + seconds))
        guard case .phrase(let phrase, let blanks) = duration else { throw Problem() }
        #expect(english.plain(phrase, blanks) == words)
    }

    struct Problem: Error {}
}
