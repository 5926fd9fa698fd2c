public import Accounts
public import Views

extension SettingsChecks {
    /// Checks languages against the shipped ones, and templates by `LetterTemplate.checked`.
    public init(views: Views) {
        self.init(isShipped: { views.language(matching: $0) != nil }, template: { $0.checked(for: $1, languageKey: views.languageKey) })
    }
}

extension LetterTemplate {
    /// In code points.
    private static let maxNameLength = 100

    /// The template without the fields that cannot be used, and an objection to each of them.
    /// - Parameter languageKey: the key of a language; nil if no shipped language answers its tag.
    public func checked(for kind: LetterKind, languageKey: (String) -> String?) -> CheckedTemplate {
        var template = self
        var objections: [SettingsObjection] = []
        func check(_ part: WritableKeyPath<LetterTemplate, String?>, _ field: String, _ objection: (String) -> String?) {
            guard let text = self[keyPath: part], let sentence = objection(text) else { return }
            template[keyPath: part] = nil
            objections.append(SettingsObjection(field: field, sentence: sentence))
        }
        check(\.senderDisplayName, "senderDisplayName", Self.objection(toName:))
        check(\.senderLocalPart, "senderLocalPart") {
            let isAtom = $0.utf8.allSatisfy {
                Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x7f || "0123456789.-_+".utf8.contains($0)
            }
            return isAtom && EmailAddress("\($0)@example.com") != nil ? nil : "It must be what can stand before an @, such as noreply"
        }
        check(\.replyTo, "replyTo") {
            EmailAddress($0)?.isInternational == false ? nil : "It must be an e-mail address with only ASCII before its @"
        }
        check(\.subject, "subject") { kind.objection(to: $0, as: .subject) }
        check(\.body, "body") { kind.objection(to: $0, as: .body(format)) }
        let checked = Self.checked(translations ?? [], for: kind, languageKey)
        template.translations = checked.usable.isEmpty ? nil : checked.usable
        return CheckedTemplate(template, objections: objections + checked.objections)
    }

    /// The translations without those that cannot be used: each is taken or left as a whole.
    private static func checked(
        _ translations: [Translation], for kind: LetterKind, _ languageKey: (String) -> String?
    ) -> (usable: [Translation], objections: [SettingsObjection]) {
        var (usable, objections, keys) = ([Translation](), [SettingsObjection](), Set<String>())
        for (index, translation) in translations.enumerated() {
            let key = languageKey(translation.locale)
            func object(_ field: String, _ sentence: String) -> SettingsObjection {
                SettingsObjection(field: "translations[\(index)].\(field)", sentence: sentence)
            }
            let found: [SettingsObjection?] = [
                key == nil ? object("locale", "It must be a language of Config/languages, or a tag such as de-AT") : nil,
                key.map { !keys.insert($0).inserted } ?? false ? object("locale", "Another translation is for this language") : nil,
                translation.subject.flatMap { kind.objection(to: $0, as: .subject) }.map { object("subject", $0) },
                translation.body.flatMap { kind.objection(to: $0, as: .body(translation.format)) }.map { object("body", $0) },
            ]
            objections += found.compactMap(\.self)
            if found.allSatisfy({ $0 == nil }) { usable.append(translation) }
        }
        return (usable, objections)
    }

    /// A header field is one line without control characters (M6).
    private static func objection(toName text: String) -> String? {
        guard
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && !"\u{2028}\u{2029}".unicodeScalars.contains($0) })
        else { return "It must be one line without control characters" }
        return text.unicodeScalars.count > maxNameLength ? "It must have at most \(maxNameLength) characters" : nil
    }
}

extension LetterTemplate {
    /// The words by the key of their language.
    func wordings(for kind: LetterKind, in project: Project, by views: Views) -> [String: OwnWords] {
        let own = Translation(locale: project.language, subject: subject, body: body, format: format)
        return ([own] + (translations ?? [])).reduce(into: [:]) { wordings, translation in
            guard translation.subject != nil || translation.body != nil, let key = views.languageKey(translation.locale) else { return }
            let words = OwnWords(
                subject: translation.subject.flatMap { views.template($0, as: .subject, for: kind.scope) },
                text: translation.format == .html ? nil : translation.body.flatMap { views.template($0, as: .text, for: kind.scope) },
                html: translation.format == .html ? translation.body.flatMap { views.template($0, as: .html, for: kind.scope) } : nil)
            wordings[key] = wordings[key] ?? words
        }
    }
}

extension MailTemplate.Part {
    fileprivate static func body(_ format: LetterTemplate.Format?) -> MailTemplate.Part { format == .html ? .html : .text }
}

extension LetterKind {
    fileprivate func objection(to text: String, as part: MailTemplate.Part) -> String? {
        do throws(TemplateProblem) {
            _ = try MailTemplate(text, as: part, for: scope)
            return nil
        } catch { return error.description }
    }
}
