import Foundation
import Testing
@testable import Views

/// The translations; only what a program can judge.
@Suite struct `A translation` {
    static let english = Result { try Shipped.File("en") }

    @Test func `is there for each of forty-two languages, and for no other`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Samples.root + "/Config/languages")
        #expect(files.sorted() == Shipped.codes.map { $0 + ".json" }.sorted())
        #expect(Shipped.codes.count == 42)
    }

    @Test(arguments: Shipped.codes) func `has every phrase that English has, with the same placeholders`(code: String) throws {
        let (english, own) = (try Self.english.get(), try Shipped.File(code))
        #expect(Set(own.sentences.keys) == Set(english.sentences.keys))
        #expect(Set(own.plurals.keys) == Set(english.plurals.keys))
        for (key, phrase) in own.sentences { #expect(phrase.placeholders == english.sentences[key]?.placeholders, "\(key): \(phrase)") }
    }

    @Test(arguments: Shipped.codes) func `has the plural forms of its language, with their number`(code: String) throws {
        let own = try Shipped.File(code)
        #expect(own.head["plural"] == Shipped.rules[code])
        let rule = try #require(PluralRule(rawValue: own.head["plural"] ?? ""))
        let expected = Set((0...200).map { rule.category(of: $0).rawValue } + ["other"])
        // Arabic and Hebrew have words for one and two.
        let words: Set = ["ar", "he"].contains(code) ? ["zero", "one", "two"] : []
        #expect(own.plurals.count == 8)
        for (key, forms) in own.plurals {
            #expect(Set(forms.keys) == expected, "\(key)")
            for (form, phrase) in forms {
                #expect(phrase.placeholders == ["{count}"] || phrase.placeholders == [] && words.contains(form), "\(key).\(form)")
            }
        }
    }

    @Test(arguments: Shipped.codes) func `is written in the direction of its script`(code: String) throws {
        #expect(try Shipped.File(code).head["direction"] == (Shipped.rightToLeft.contains(code) ? "rtl" : "ltr"))
    }

    /// Words that are spelled as in English.
    static let shared: [String: Set<String>] = [
        "fil": ["Account", "Device", "Password"], "fr": ["{count} minute", "{count} minutes"], "hr": ["{count} minute"],
        "it": ["Account", "Password"], "nl": ["Account"],
    ]
    /// Latin words in languages of other scripts.
    static let borrowed: [String: Set<String>] = ["el": ["email"]]
    /// Latin words in every script.
    static let international: Set = ["qr"]
    static let otherScripts: Set = ["ar", "bg", "el", "fa", "he", "hi", "ja", "ko", "ru", "sr", "th", "uk", "zh-CN", "zh-TW"]

    @Test(arguments: Shipped.codes.filter { !$0.hasPrefix("en") }) func `has no English left over`(code: String) throws {
        let english = try Self.english.get()
        for (key, phrase) in try Shipped.File(code).phrases {
            #expect(phrase != english.phrases[key] || Self.shared[code]?.contains(phrase) == true, "\(key): \(phrase)")
            let words = phrase.withoutPlaceholders.matches(of: #/[A-Za-z]+/#).map { $0.0.lowercased() }
            if Self.otherScripts.contains(code) {
                #expect(Set(words).isSubset(of: Self.international.union(Self.borrowed[code] ?? [])), "\(key): \(phrase)")
            } else {
                let telling: Set = ["the", "your", "you", "please", "this", "that", "with", "from", "have", "nothing", "somebody", "again"]
                #expect(telling.isDisjoint(with: words), "\(key): \(phrase)")
            }
        }
    }

    @Test(arguments: Shipped.codes) func `is not much longer than English`(code: String) throws {
        let english = try Self.english.get()
        for (key, phrase) in try Shipped.File(code).sentences {
            let length = Double(english.sentences[key]?.unicodeScalars.count ?? 0)
            #expect(Double(phrase.unicodeScalars.count) <= length * 1.9 + 14, "\(key): \(phrase)")
        }
    }

    @Test(arguments: Shipped.codes) func `has no stray spaces, direction marks or exclamation marks`(code: String) throws {
        for (key, phrase) in try Shipped.File(code).phrases {
            #expect(!phrase.isEmpty && phrase.trimmingCharacters(in: .whitespacesAndNewlines) == phrase, "\(key)")
            #expect(!phrase.contains("  ") && !phrase.contains("\n"), "\(key)")
            let marks: [ClosedRange<UInt32>] = [0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfeff...0xfeff]
            #expect(!phrase.unicodeScalars.contains { scalar in marks.contains { $0.contains(scalar.value) } }, "\(key)")
            #expect(!phrase.contains { "!！¡".contains($0) } || key == "password.needsSymbol", "\(key): \(phrase)")
        }
    }

    /// The mail's button is the page's title.
    @Test(arguments: Shipped.codes) func `asks to confirm an address in the same words on subject, title and button`(code: String) throws {
        let phrases = try Shipped.File(code).phrases
        let title = try #require(phrases["confirm.verifyEmail.title"])
        #expect(phrases["confirm.verifyEmail.button"] == title && phrases["confirm.verifyEmail.plainButton"] == title)
        #expect(try #require(phrases["letters.action.verifyEmail.subject"]).lowercased().contains(title.lowercased()))
    }

    /// The text part of a mail breaks lines at spaces and between ideographs only.
    @Test(arguments: Shipped.codes) func `has no word that is longer than a line of a mail`(code: String) throws {
        for (key, phrase) in try Shipped.File(code).phrases where !["ja", "zh-CN", "zh-TW"].contains(code) {
            for word in phrase.split(separator: " ") { #expect(word.count <= 66, "\(key): \(word)") }
        }
    }
}
