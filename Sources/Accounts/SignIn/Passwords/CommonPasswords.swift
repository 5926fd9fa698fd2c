internal import Foundation

/// The passwords that attackers try first, as rules: base words, and the ways in which people make
/// passwords of them (S3).
///
/// The rules are read from `Config/common-passwords.txt`, which explains its sections. This is a
/// class because every copy of a project refers to it.
public final class CommonPasswords: Sendable {
    /// No rules: no password is common.
    public static let none = CommonPasswords(parts: [:])

    /// The sections of the file, by their headings.
    private enum Part: String, CaseIterable { case words, endings, beginnings, first, second, walks, exact, cyrillic }

    // Sets of `String`. Most strings are short enough to be stored inline.
    private let exact: Set<String>
    private let words: Set<String>
    private let endings: Set<String>
    private let beginnings: Set<String>
    private let first: Set<String>
    private let second: Set<String>
    private let walks: [String]

    /// Thrown for a file that cannot be used, with the line and the reason.
    public struct InvalidFile: Error, CustomStringConvertible {
        public let description: String
    }

    /// Reads the rules from a file.
    public convenience init(file: String) throws(InvalidFile) {
        guard let bytes = FileManager.default.contents(atPath: file) else { throw InvalidFile(description: "\(file): cannot be read") }
        try self.init(text: String(decoding: bytes, as: UTF8.self), file: file)
    }

    /// Reads the rules from text. `file` is only for the error.
    public convenience init(text: String, file: String = "common-passwords.txt") throws(InvalidFile) {
        var parts: [Part: [String]] = [:]
        var part: Part?
        for (index, line) in text.lowercased().split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line != "#" && !line.hasPrefix("# ") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                part = Part(rawValue: String(line.dropFirst().dropLast()))
                guard part != nil else { throw InvalidFile(description: "\(file):\(index + 1): there is no section \(line)") }
                continue
            }
            let words = line.split(separator: " ")
            guard let part else {
                guard words.isEmpty else { throw InvalidFile(description: "\(file):\(index + 1): words before the first section") }
                continue
            }
            parts[part, default: []] += words.map { String($0) }
        }
        self.init(parts: parts)
    }

    private init(parts: [Part: [String]]) {
        let cyrillic = parts[.cyrillic] ?? []
        let words = (parts[.words] ?? []) + cyrillic + cyrillic.map(Self.typedInLatin)
        // Old systems used only eight characters of a password, and people still type only those.
        self.words = Set(words + words.filter { $0.count > 8 }.map { String($0.prefix(8)) })
        exact = Set(parts[.exact] ?? [])
        endings = Set(parts[.endings] ?? [])
        beginnings = Set(parts[.beginnings] ?? [])
        first = Set(parts[.first] ?? [])
        second = Set(parts[.second] ?? [])
        walks = (parts[.walks] ?? []).flatMap { [$0, String($0.reversed())] }
    }

    /// Whether a password follows the rules. Case does not matter.
    public func contains(_ password: String) -> Bool {
        let text = password.lowercased()
        guard text.utf8.count <= 40 else { return false }
        return isBase(text[...]) || isDate(text) || isDecorated(text[...]) || isDecorated(Substring(Self.withoutSubstitutions(text)))
    }

    /// Whether a text is a word, two words, a keyboard walk, or a repetition of these.
    private func isBase(_ text: Substring) -> Bool {
        exact.contains(String(text)) || words.contains(String(text)) || isWalk(text) || isPair(text) || isRepeated(text)
    }

    /// Whether a text is a base with an ending, a beginning or both.
    private func isDecorated(_ text: Substring) -> Bool {
        let ends = text.indices.filter { endings.contains(String(text[$0...])) || Self.isYear(text[$0...]) } + [text.endIndex]
        let starts = [text.startIndex] + text.indices.filter { beginnings.contains(String(text[..<$0])) }
        return starts.contains { start in ends.contains { end in start < end && isBase(text[start..<end]) } }
    }

    /// Whether a text is a part of a keyboard walk, of six characters or more.
    private func isWalk(_ text: Substring) -> Bool { text.count >= 6 && walks.contains { $0.contains(text) } }

    private func isPair(_ text: Substring) -> Bool {
        text.indices.contains { first.contains(String(text[..<$0])) && second.contains(String(text[$0...])) }
    }

    /// Whether a text repeats a piece of at most four characters, or a word or a part of a walk.
    private func isRepeated(_ text: Substring) -> Bool {
        (1...max(1, text.count / 2)).contains { length in
            let piece = text.prefix(length)
            return text.count >= 6 && (length <= 4 || words.contains(String(piece)) || isWalkPart(piece))
                && zip(text, text.dropFirst(length)).allSatisfy(==)
        }
    }

    private func isWalkPart(_ piece: Substring) -> Bool { walks.contains { $0.contains(piece) } }

    /// Whether a text is a date in digits: ddmmyyyy, mmddyyyy or yyyymmdd.
    private func isDate(_ text: String) -> Bool {
        guard text.utf8.count == 8, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
        func isDay(_ a: Substring, _ b: Substring) -> Bool {
            guard let a = Int(a), let b = Int(b) else { return false }
            return (1...31).contains(a) && (1...12).contains(b) || (1...12).contains(a) && (1...31).contains(b)
        }
        let (start, end) = (text.prefix(4), text.suffix(4))
        return Self.isYear(end) && isDay(start.prefix(2), start.suffix(2)) || Self.isYear(start) && isDay(end.prefix(2), end.suffix(2))
    }

    private static func isYear(_ text: Substring) -> Bool { text.utf8.count == 4 && Int(text).map { (1900...2039).contains($0) } == true }

    /// The text with digits and signs replaced by the letters that they look like.
    private static func withoutSubstitutions(_ text: String) -> String {
        let masks: [Character: Character] = ["0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"]
        return String(text.map { masks[$0] ?? $0 })
    }

    /// The result of typing a Russian word while the keyboard is set to English.
    private static func typedInLatin(_ word: String) -> String {
        let keys = Dictionary(uniqueKeysWithValues: zip("йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"))
        return String(word.map { keys[$0] ?? $0 })
    }
}
