import Views
import Foundation

/// The languages that Onward ships, written out: a file that disappears or comes by mistake fails a
/// test.
enum Shipped {
    /// The tag of each language with the name of its plural rule.
    static let rules: [String: String] = [
        "ar": "arabic", "bg": "oneOrMore", "ca": "oneOrMore", "cs": "westSlavic", "da": "oneOrMore", "de": "oneOrMore", "el": "oneOrMore",
        "en": "oneOrMore", "en-GB": "oneOrMore", "es": "oneOrMore", "es-419": "oneOrMore", "fa": "upToOne", "fi": "oneOrMore",
        "fil": "filipino", "fr": "upToOne", "he": "hebrew", "hi": "upToOne", "hr": "southSlavic", "hu": "oneOrMore", "id": "none",
        "it": "oneOrMore", "ja": "none", "ko": "none", "lt": "lithuanian", "lv": "latvian", "nl": "oneOrMore", "no": "oneOrMore",
        "pl": "polish", "pt-BR": "upToOne", "pt-PT": "oneOrMore", "ro": "romanian", "ru": "eastSlavic", "sk": "westSlavic",
        "sl": "slovenian", "sr": "southSlavic", "sv": "oneOrMore", "th": "none", "tr": "oneOrMore", "uk": "eastSlavic", "vi": "none",
        "zh-CN": "none", "zh-TW": "none",
    ]
    static let codes = rules.keys.sorted()
    static let rightToLeft: Set = ["ar", "fa", "he"]

    /// A language file as it is stored, read without the types of `Views`.
    struct File {
        let head: [String: String]
        /// Every phrase by its keys, such as `foot.why`. The forms of a plural are phrases of their
        /// own.
        let phrases: [String: String]
        /// The forms of every plural by its keys.
        let plurals: [String: [String: String]]

        init(_ code: String) throws {
            let file = URL(filePath: "\(Samples.root)/Config/languages/\(code).json")
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
            head = object.compactMapValues { $0 as? String }
            var (phrases, plurals) = ([String: String](), [String: [String: String]]())
            func read(_ value: Any, _ path: String) {
                if let text = value as? String { phrases[path] = text }
                guard let object = value as? [String: Any] else { return }
                if let forms = object as? [String: String], forms["other"] != nil { plurals[path] = forms }
                for (key, value) in object { read(value, path.isEmpty ? key : "\(path).\(key)") }
            }
            read(object["words"] as Any, "")
            (self.phrases, self.plurals) = (phrases, plurals)
        }

        /// The phrases that are not forms of a plural.
        var sentences: [String: String] {
            let forms = Set(plurals.flatMap { path, forms in forms.keys.map { "\(path).\($0)" } })
            return phrases.filter { !forms.contains($0.key) }
        }
    }
}

extension String {
    /// The placeholders in order of the alphabet, each as often as it is there.
    var placeholders: [String] { matches(of: #/{\w*}/#).map { String($0.0) }.sorted() }
    var withoutPlaceholders: String { replacing(#/{\w*}/#, with: "") }

    /// The width in a font of fixed width. Chinese, Japanese and Korean have two columns a
    /// character.
    var monospacedWidth: Int {
        reduce(0) { sum, character in
            switch character.unicodeScalars.first?.value ?? 0 {
            case 0x2e80...0x9fff, 0xac00...0xd7a3, 0xff01...0xff60: sum + 2
            default: sum + 1
            }
        }
    }
}
