internal import Foundation

/// A script in which an address may be written: one that a living language is commonly written in.
/// Source: UAX 31, table 5.
enum UnicodeScript: Sendable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, thaana, devanagari, bengali, gurmukhi, gujarati, oriya, tamil, telugu
    case kannada, malayalam, sinhala, thai, lao, tibetan, myanmar, georgian, ethiopic, khmer
    /// Chinese, Japanese and Korean, whose characters are written together, and with Latin letters.
    case eastAsian

    /// The marks that belong to no script, such as the acute accent.
    static let sharedMarks: ClosedRange<UInt32> = 0x0300...0x036F

    /// Blocks of Unicode, whose limits never change.
    private static let blocks: [(ClosedRange<UInt32>, UnicodeScript)] = [
        (0x0041...0x005A, .latin), (0x0061...0x007A, .latin), (0x00C0...0x02AF, .latin), (0x1E00...0x1EFF, .latin),
        (0x0370...0x03FF, .greek), (0x1F00...0x1FFF, .greek), (0x0400...0x052F, .cyrillic), (0x0530...0x058F, .armenian),
        (0x0590...0x05FF, .hebrew), (0x0600...0x06FF, .arabic), (0x0750...0x077F, .arabic), (0x0870...0x08FF, .arabic),
        (0x0780...0x07BF, .thaana), (0x0900...0x097F, .devanagari), (0x0980...0x09FF, .bengali), (0x0A00...0x0A7F, .gurmukhi),
        (0x0A80...0x0AFF, .gujarati), (0x0B00...0x0B7F, .oriya), (0x0B80...0x0BFF, .tamil), (0x0C00...0x0C7F, .telugu),
        (0x0C80...0x0CFF, .kannada), (0x0D00...0x0D7F, .malayalam), (0x0D80...0x0DFF, .sinhala), (0x0E00...0x0E7F, .thai),
        (0x0E80...0x0EFF, .lao), (0x0F00...0x0FFF, .tibetan), (0x1000...0x109F, .myanmar), (0x10A0...0x10FF, .georgian),
        (0x1200...0x139F, .ethiopic), (0x1780...0x17FF, .khmer), (0x3005...0x3007, .eastAsian), (0x3040...0x312F, .eastAsian),
        (0x31A0...0x31BF, .eastAsian), (0x3400...0x4DBF, .eastAsian), (0x4E00...0x9FFF, .eastAsian), (0xAC00...0xD7A3, .eastAsian),
        (0x20000...0x323AF, .eastAsian),
    ]

    /// The script of a letter, mark or digit; nil if it is of another script, or of none.
    init?(_ scalar: Unicode.Scalar) {
        guard let block = Self.blocks.first(where: { $0.0.contains(scalar.value) }) else { return nil }
        self = block.1
    }

    /// Whether a domain name in Unicode cannot be taken for another one. Each label is of one
    /// script. Latin letters are those with accents and a few others. Letters of Greek, Cyrillic
    /// and Armenian can look like Latin ones, so they need a top-level domain that is not Latin.
    static func isUnmistakable(domain: String) -> Bool {
        let labels = domain.split(separator: ".")
        let isLatinAtTop = labels.last?.unicodeScalars.contains(where: \.isBasicLatinLetter) ?? true
        return labels.allSatisfy { label in
            let letters = label.unicodeScalars.filter { !$0.isASCII || $0.isBasicLatinLetter }
            let scripts = Set(letters.compactMap { sharedMarks.contains($0.value) ? nil : UnicodeScript($0) })
            guard letters.allSatisfy({ $0.isLetterMarkOrDigit && (sharedMarks.contains($0.value) || UnicodeScript($0) != nil) }),
                scripts.count <= 1
            else { return false }
            return switch scripts.first {
            case .latin: letters.allSatisfy(\.isPlainLatin)
            case .greek, .cyrillic, .armenian: !isLatinAtTop
            default: true
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isBasicLatinLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    fileprivate var isLetterMarkOrDigit: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: true
        default: false
        }
    }

    /// Whether readers see which letter it is: an ASCII letter, with marks or without, or one that
    /// has its own key in a European language.
    fileprivate var isPlainLatin: Bool {
        isBasicLatinLetter || "ßæøœåðþđłŋ".unicodeScalars.contains(self)
            || String(self).decomposedStringWithCanonicalMapping.unicodeScalars.first?.isBasicLatinLetter == true
    }
}
