import HTTPTypes

/// Field names that most requests carry, made once: making one validates it and allocates two strings.
enum FieldNames {
    private static let byLength: [[HTTPField.Name]] = {
        let common: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentType, .cookie, .ifModifiedSince,
            .ifNoneMatch, .origin, .referer, .userAgent,
        ]
        let others = [
            "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Upgrade-Insecure-Requests", "X-Forwarded-For", "X-Forwarded-Proto",
        ]
        let names = common + others.compactMap { HTTPField.Name($0) }
        let longest = names.map(\.rawName.utf8.count).max() ?? 0
        return (0...longest).map { length in names.filter { $0.rawName.utf8.count == length } }
    }()

    /// The name these bytes spell, in the case they spell it; `nil` when they are no token.
    static func name(_ bytes: Bytes) -> HTTPField.Name? {
        if bytes.count < byLength.count {
            for name in byLength[bytes.count] where name.rawName.utf8.elementsEqual(bytes) { return name }
        }
        return HTTPField.Name(bytes.text)
    }
}
