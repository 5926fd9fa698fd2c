import Accounts
package import EmailActions
package import Views

extension SettingsChecks {
    /// Checks languages against the shipped ones, and templates by `LetterTemplate.checked`.
    package init(views: Views) {
        self.init(isShipped: { views.language(matching: $0) != nil }, template: \.checked)
    }
}

extension LetterTemplate {
    /// In code points.
    private static let maxSubjectLength = 300
    private static let maxNameLength = 100
    /// In UTF-8. Mail programs cut longer mails off.
    private static let maxBodyBytes = 100_000

    /// The template without the fields that cannot be used, and an objection to each of them.
    package var checked: CheckedTemplate {
        var template = self
        var objections: [SettingsObjection] = []
        func check(_ part: WritableKeyPath<LetterTemplate, String?>, _ field: String, _ objection: (String) -> String?) {
            guard let text = self[keyPath: part], let sentence = objection(text) else { return }
            template[keyPath: part] = nil
            objections.append(SettingsObjection(field: field, sentence: sentence))
        }
        check(\.senderDisplayName, "senderDisplayName") { Self.objection(toLine: $0, maxLength: Self.maxNameLength) }
        check(\.senderLocalPart, "senderLocalPart") {
            let isAtom = $0.utf8.allSatisfy {
                Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x7f || "0123456789.-_+".utf8.contains($0)
            }
            return isAtom && EmailAddress("\($0)@example.com") != nil ? nil : "It must be what can stand before an @, such as noreply"
        }
        check(\.replyTo, "replyTo") {
            EmailAddress($0)?.isInternational == false ? nil : "It must be an e-mail address with only ASCII before its @"
        }
        check(\.subject, "subject") {
            let hasLink = Self.pieces(of: $0).contains(.placeholder(.link))
            return hasLink
                ? "%LINK% must not stand in a subject, which shows on locked screens"
                : Self.objection(toLine: $0, maxLength: Self.maxSubjectLength)
        }
        check(\.body, "body", objection(toBody:))
        return CheckedTemplate(template, objections: objections)
    }

    /// A header field is one line without control characters (M6).
    private static func objection(toLine text: String, maxLength: Int) -> String? {
        guard text.unicodeScalars.allSatisfy({ !$0.isControl && !"\u{2028}\u{2029}".unicodeScalars.contains($0) }) else {
            return "It must be one line without control characters"
        }
        return text.unicodeScalars.count > maxLength ? "It must have at most \(maxLength) characters" : nil
    }

    private func objection(toBody text: String) -> String? {
        guard text.utf8.count <= Self.maxBodyBytes else { return "It must have at most \(Self.maxBodyBytes) bytes" }
        guard text.unicodeScalars.allSatisfy({ !$0.isControl || "\n\r\t".unicodeScalars.contains($0) }) else {
            return "It must not contain control characters"
        }
        let pieces = Self.pieces(of: text)
        guard pieces.contains(.placeholder(.link)) else { return "It must contain %LINK%, without which the mail is useless" }
        return format == .html ? HTMLContext.objection(to: pieces) : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
