internal import Base
internal import Foundation

extension EmailAddress {
    /// The text in lower case without blanks around it, in NFC, with the domain in ASCII; nil if
    /// the text could not be an address, or if folding it could end in the address of someone else.
    static func folded(_ text: String) -> String? {
        // A domain of 253 ASCII characters has at most as many of Unicode, of four bytes each.
        guard text.utf8.count <= 4 * 254 else { return nil }
        let parts = text.trimmed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let localPart = InternationalLocalPart.folded(Substring(parts[0])),
            let domain = asciiDomain(Substring(parts[1]))
        else { return nil }
        return "\(localPart)@\(domain)"
    }

    /// Refuses letters whose lower case begins with an ASCII letter: the Kelvin sign, which is `k`
    /// in lower case, and the dotted capital I of Turkish. `WebURL.Host` refuses all others that
    /// browsers map to ASCII.
    private static func asciiDomain(_ name: Substring) -> String? {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return String(name) }
        let leavesASCII = name.unicodeScalars.contains {
            !$0.isASCII && $0.properties.lowercaseMapping.unicodeScalars.first?.isASCII == true
        }
        return leavesASCII ? nil : WebURL.Host.asciiDomain(name.precomposedStringWithCanonicalMapping)
    }

    /// The address as pages and mails show it: with an international domain in its own script if
    /// readers cannot take it for another domain, else in ASCII.
    public var shown: String { "\(localPart)@\(shownDomain)" }

    private var shownDomain: String {
        let ascii = String(domain)
        guard ascii.utf8.split(separator: UInt8(ascii: ".")).contains(where: { $0.starts(with: "xn--".utf8) }),
            let name = WebURL.Host.unicodeDomain(ascii), UnicodeScript.isUnmistakable(domain: name)
        else { return ascii }
        return name
    }

    /// The shown form of an address; a text that is not an address stays as it is.
    public static func shown(_ text: String) -> String { Self(text)?.shown ?? text }

    /// The address in a form that only a person who knows it recognises: `a•••@example.com`.
    public var masked: String { "\(localPart.prefix(1))•••@\(shownDomain)" }
}

/// The part of an address before its `@`, if it has characters outside of ASCII: letters, marks and
/// digits of one script, in lower case.
enum InternationalLocalPart {
    /// The local part in NFC and lower case; nil if a character is not allowed in an address,
    /// before or after.
    static func folded(_ text: Substring) -> String? {
        let lowered = lowercased(text)
        let composed = lowercased(lowered.precomposedStringWithCanonicalMapping[...])
        guard isWritable(lowered[...]), isWritable(composed[...]) else { return nil }
        // Composed once more, because `ǰ` has a composed form and its capital has none.
        return composed.asciiLowercased.precomposedStringWithCanonicalMapping
    }

    /// The text with capitals outside of ASCII in lower case, each by itself (Unicode's simple
    /// mapping). A capital stays, and so is refused, if the mapping would leave ASCII, as of the
    /// Kelvin sign and the dotted capital I, or if NFKC has another character in its place.
    private static func lowercased(_ text: Substring) -> String {
        text.unicodeScalars.reduce(into: "") { lowered, scalar in
            let mapping = scalar.properties.lowercaseMapping.unicodeScalars
            let isCapital = !scalar.isASCII && scalar.properties.generalCategory == .uppercaseLetter
            if isCapital, mapping.count == 1, let lower = mapping.first, !lower.isASCII,
                String(scalar).precomposedStringWithCompatibilityMapping.unicodeScalars.elementsEqual([scalar])
            {
                lowered.unicodeScalars.append(lower)
            } else {
                lowered.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether the text is in NFC and has no character that NFKC would map to another one, such as
    /// `ſ`, ligatures, and the wide letters of Chinese and Japanese.
    static func isCanonical(_ text: Substring) -> Bool {
        isWritable(text) && text.precomposedStringWithCompatibilityMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
    }

    /// Whether all characters outside of ASCII are lower-case letters, marks and digits, and all
    /// letters are of one script. Control characters, symbols and all that is invisible are
    /// refused; so is a mark at the start of a word.
    private static func isWritable(_ text: Substring) -> Bool {
        var scripts: Set<UnicodeScript> = []
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                isInWord = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                if isInWord, !("0"..."9").contains(scalar) { scripts.insert(.latin) }
                continue
            }
            guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: isInWord = true
            case .nonspacingMark, .spacingMark: guard isInWord else { return false }
            default: return false
            }
            guard UnicodeScript.sharedMarks.contains(scalar.value) || UnicodeScript(scalar).map({ scripts.insert($0) }) != nil else {
                return false
            }
        }
        return scripts.count < 2 || scripts == [.latin, .eastAsian]
    }
}

extension String {
    /// The text without spaces and tabs at either end, including those of Chinese and Japanese and
    /// spaces that do not break, and without the line breaks and the characters of no width that a
    /// clipboard leaves at the end.
    fileprivate var trimmed: Substring.UnicodeScalarView {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator }
        let isBreak = { (scalar: Unicode.Scalar) in "\n\r\u{2028}\u{2029}\u{200B}\u{2060}\u{FEFF}".unicodeScalars.contains(scalar) }
        var rest = unicodeScalars[...].drop(while: isSpace)
        while let last = rest.last, isSpace(last) || isBreak(last) { rest.removeLast() }
        return rest
    }
}
