internal import Accounts

extension LetterTemplate {
    /// In code points, as one line.
    private static let longestSubject = 300
    private static let longestName = 100
    /// In UTF-8. Mail programs cut longer ones off.
    private static let longestBody = 100_000

    /// The template without what cannot be used, and why that cannot: under the name of each field.
    var checked: (template: LetterTemplate, refused: [(field: String, sentence: String)]) {
        var template = self
        var refused: [(field: String, sentence: String)] = []
        func check(_ part: WritableKeyPath<LetterTemplate, String?>, _ field: String, _ objection: (String) -> String?) {
            guard let text = self[keyPath: part], let sentence = objection(text) else { return }
            template[keyPath: part] = nil
            refused.append((field, sentence))
        }
        check(\.senderDisplayName, "senderDisplayName") { Self.objection(toLine: $0, longest: Self.longestName) }
        check(\.senderLocalPart, "senderLocalPart") {
            let isAtom = $0.utf8.allSatisfy {
                Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x7f || "0123456789.-_+".utf8.contains($0)
            }
            return isAtom && EmailAddress("\($0)@example.com") != nil ? nil : "It must be what can stand before an @, such as noreply"
        }
        check(\.replyTo, "replyTo") { EmailAddress($0) == nil ? "It must be an e-mail address" : nil }
        check(\.subject, "subject") {
            let hasLink = Self.pieces(of: $0).contains(.placeholder(.link))
            return hasLink
                ? "%LINK% must not stand in a subject, which shows on locked screens"
                : Self.objection(toLine: $0, longest: Self.longestSubject)
        }
        check(\.body, "body", objection(toBody:))
        return (template, refused)
    }

    /// M6.
    private static func objection(toLine text: String, longest: Int) -> String? {
        guard text.unicodeScalars.allSatisfy({ !$0.isControl && !"\u{2028}\u{2029}".unicodeScalars.contains($0) }) else {
            return "It must be one line without control characters"
        }
        return text.unicodeScalars.count > longest ? "It must have at most \(longest) characters" : nil
    }

    private func objection(toBody text: String) -> String? {
        guard text.utf8.count <= Self.longestBody else { return "It must have at most \(Self.longestBody) bytes" }
        guard text.unicodeScalars.allSatisfy({ !$0.isControl || "\n\r\t".unicodeScalars.contains($0) }) else {
            return "It must not hold control characters"
        }
        let pieces = Self.pieces(of: text)
        guard pieces.contains(.placeholder(.link)) else { return "It must hold %LINK%, or nobody could do what the mail is for" }
        return format == .html ? HTMLPlaces.objection(to: pieces) : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
