internal import Accounts
internal import Base

extension JSONFields {
    /// The format of a template's body. Source: Identity Toolkit `EmailBodyFormat`.
    func bodyFormat(_ name: String) throws(ActionError) -> LetterTemplate.Format? {
        let names = ["BODY_FORMAT_UNSPECIFIED"] + LetterTemplate.Format.allCases.map(\.rawValue)
        return try choice(name, of: names).flatMap { LetterTemplate.Format(rawValue: $0) }
    }

    /// The words of a template by language, which Identity Toolkit does not have; nil if the field
    /// is absent or empty.
    func translations(_ name: String) throws(ActionError) -> [LetterTemplate.Translation]? {
        let translations = try objects(name).map { item throws(ActionError) in
            LetterTemplate.Translation(
                locale: try item.text("locale") ?? "", subject: try item.text("subject"), body: try item.text("body"),
                format: try item.bodyFormat("bodyFormat"))
        }
        return translations.isEmpty ? nil : translations
    }
}

extension LetterTemplate.Translation {
    var json: JSON {
        .object([
            "locale": .string(locale), "subject": .string(ifAny: subject), "body": .string(ifAny: body),
            "bodyFormat": format.map { .string($0.rawValue) },
        ])
    }
}
