import Base
import Configuration
import Foundation

/// A host that can be taken for an authorised one: refused, and rightly, unless it is a slip.
struct LookAlike: Equatable {
    enum Kind: Equatable {
        /// The authorised name is the start or the middle of another one: `example.com.evil.com`.
        case contains
        /// The names differ by one letter, or by letters that look alike.
        case resembles
    }

    let kind: Kind
    /// The authorised host.
    let original: String

    /// - Parameters:
    ///   - host: a host that no entry covers, as URLs write it.
    ///   - hosts: the authorised ones.
    init?(_ host: String, of hosts: [String]) {
        let found = hosts.filter { $0.contains(".") && $0 != host && !host.hasSuffix(".\($0)") && !$0.hasSuffix(".\(host)") }.compactMap {
            original -> (Kind, String)? in
            if host.contains(original) { return (.contains, original) }
            return Self.resembles(host, original) ? (.resembles, original) : nil
        }
        guard let (kind, original) = found.first else { return nil }
        (self.kind, self.original) = (kind, original)
    }

    /// The warning of `onward explain-url`.
    func sentence(for host: String) -> String {
        switch kind {
        case .contains: "\(host) contains \(original) but is no part of it. Add it only if it is yours."
        case .resembles: "\(host) looks like \(original), which is authorised. Add it only if it is yours."
        }
    }

    /// Compares the ends of the names, since a sub-domain of a look-alike is one as well.
    private static func resembles(_ host: String, _ original: String) -> Bool {
        let labels = original.split(separator: ".").count
        let end = host.split(separator: ".").suffix(labels).joined(separator: ".")
        guard end != original else { return false }
        return shape(of: end) == shape(of: original) || Spelling.distance(end, original) == 1
    }

    /// The name with one letter for all that look alike. Source: Unicode Technical Standard 39,
    /// the pairs that matter in host names.
    private static func shape(of host: String) -> String {
        let plain = String(
            (WebURL.Host.unicodeDomain(host) ?? host).decomposedStringWithCompatibilityMapping.unicodeScalars.compactMap {
                scalar -> Character? in
                guard scalar.properties.generalCategory != .nonspacingMark else { return nil }
                return twins[scalar] ?? Character(scalar)
            })
        return plain.replacing("rn", with: "m").replacing("vv", with: "w").replacing("cl", with: "d")
    }

    /// Letters that look like another one: digits, Cyrillic and Greek.
    private static let twins: [Unicode.Scalar: Character] = [
        "0": "o", "1": "l", "i": "l", "ı": "l", "5": "s", "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "х": "x", "у": "y", "ѕ": "s",
        "і": "l", "ј": "j", "ԁ": "d", "һ": "h", "ӏ": "l", "ԛ": "q", "ԝ": "w", "к": "k", "м": "m", "т": "t", "в": "b", "н": "h", "г": "r",
        "α": "a", "ο": "o", "ν": "v", "ρ": "p", "υ": "u", "ι": "l", "κ": "k", "τ": "t", "χ": "x",
    ]
}
