internal import Foundation

/// The shipped languages by the tags that clients, links and projects name them with.
///
/// Source: RFC 4647, section 3.4 (lookup).
struct LanguageLookup: Sendable {
    /// The longest tag that is read, in bytes. Source: RFC 5646, section 4.4.1.
    private static let maxTagLength = 35

    /// Tags of other languages, scripts and regions that a shipped language answers. A longer tag
    /// is cut from the right until it is one of these or a shipped one, so `zh-Hant-HK` is found as
    /// `zh-Hant`, and `sr-Latn` as `sr`: readers of Serbian know both scripts.
    ///
    /// Source: CLDR, for parent locales (`es-MX` has the parent `es-419`) and for retired codes.
    static let aliases: [String: [String]] = [
        "en-GB": [
            "en-001", "en-150", "en-AU", "en-BD", "en-GH", "en-GI", "en-HK", "en-IE", "en-IN", "en-JE", "en-JM", "en-KE", "en-LK", "en-MT",
            "en-MY", "en-NG", "en-NZ", "en-PK", "en-SG", "en-TT", "en-TZ", "en-UG", "en-ZA", "en-ZM", "en-ZW",
        ],
        "es-419": [
            "es-AR", "es-BO", "es-BR", "es-BZ", "es-CL", "es-CO", "es-CR", "es-CU", "es-DO", "es-EC", "es-GT", "es-HN", "es-MX", "es-NI",
            "es-PA", "es-PE", "es-PR", "es-PY", "es-SV", "es-US", "es-UY", "es-VE",
        ],
        "fil": ["tl"],
        "he": ["iw"],
        "id": ["in"],
        "no": ["nb", "nn"],
        "pt-BR": ["pt"],
        "pt-PT": ["pt-AO", "pt-CH", "pt-CV", "pt-GQ", "pt-GW", "pt-LU", "pt-MO", "pt-MZ", "pt-ST", "pt-TL"],
        "ro": ["mo"],
        "zh-CN": ["zh", "zh-Hans"],
        "zh-TW": ["zh-HK", "zh-Hant", "zh-MO", "yue"],
    ]

    /// The languages by tag as it is shipped, and by tag and alias in lower case.
    private let languages: [String: Language]

    init(_ shipped: [Language]) {
        var languages: [String: Language] = [:]
        for language in shipped {
            for alias in Self.aliases[language.code] ?? [] { languages[alias.lowercased()] = language }
        }
        for language in shipped { (languages[language.code], languages[language.code.lowercased()]) = (language, language) }
        self.languages = languages
    }

    /// The language of a tag, or of the longest part of it from the left that has one. Nil for a
    /// text that is not a tag (P8).
    subscript(tag: String) -> Language? {
        if let language = languages[tag] { return language }
        guard let tag = Self.normalized(tag) else { return nil }
        var part = tag[...]
        while true {
            if let language = languages[String(part)] { return language }
            guard let hyphen = part.lastIndex(of: "-") else { return nil }
            part = part[..<hyphen]
        }
    }

    /// The tag in lower case with hyphens: `pt_BR` is what POSIX and Java call `pt-BR`.
    static func normalized(_ tag: String) -> String? {
        guard tag.utf8.count <= maxTagLength else { return nil }
        var bytes: [UInt8] = []
        for byte in tag.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): bytes.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "-"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LanguageLookup {
    /// The tags under which a project's own words suit a reader, the closest first: the tag itself,
    /// its shipped language, and what is left of both when they are cut from the right, as long as
    /// it is written in the same script. Empty for a tag that no shipped language answers.
    func fallbacks(of tag: String) -> [String] {
        guard let language = self[tag], let tag = Self.normalized(tag) else { return [] }
        let shipped = language.code.lowercased()
        let exact = Self.parents(of: tag), general = Self.parents(of: shipped)
        let closer = exact.filter { !general.contains($0) }
        return (closer + general).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A tag and its beginnings that are written in the same script.
    private static func parents(of tag: String) -> [String] {
        var tags = [tag]
        var part = tag[...]
        while let hyphen = part.lastIndex(of: "-") {
            part = part[..<hyphen]
            tags.append(String(part))
        }
        let script = Locale.Language(identifier: tag).script
        return tags.filter { $0 == tag || Locale.Language(identifier: $0).script == script }
    }
}

extension Views {
    /// A language tag as a key: in lower case with hyphens. Nil if no shipped language answers it.
    public func languageKey(_ tag: String) -> String? { lookup[tag].flatMap { _ in LanguageLookup.normalized(tag) } }

    /// The language of a mail and the keys under which a project's own words suit its reader, the
    /// closest first.
    /// - Parameter tags: in order of preference; the first that a shipped language answers counts.
    public func wording(liking tags: [String]) -> (language: Language, keys: [String]) {
        guard let tag = tags.first(where: { lookup[$0] != nil }) else { return (languages[0], lookup.fallbacks(of: languages[0].code)) }
        return (language(liking: [tag]), lookup.fallbacks(of: tag))
    }

    /// The shipped language of a tag: its own, or that of the tag without its last subtags, or that
    /// of another tag for it, such as `pt-BR` for `pt`. Nil if there is none (P8).
    public func language(matching tag: String?) -> Language? { tag.flatMap { lookup[$0] } }

    /// The shipped language of the first tag that has one, otherwise English.
    /// - Parameter tags: in order of preference.
    public func language(liking tags: [String]) -> Language {
        for tag in tags { if let language = lookup[tag] { return language } }
        return languages[0]
    }
}
