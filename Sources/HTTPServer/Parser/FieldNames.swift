import HTTPTypes

/// Field names that most requests carry, made once: making one validates it and allocates two strings.
enum FieldNames {
    private struct Known {
        let name: HTTPField.Name
        let spelling: [UInt8]
    }

    private static let byLength: [[Known]] = {
        let common: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentType, .cookie, .ifModifiedSince,
            .ifNoneMatch, .origin, .referer, .userAgent,
        ]
        let others = [
            "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
            "Priority", "Upgrade-Insecure-Requests", "X-Forwarded-For", "X-Forwarded-Proto",
        ]
        let known = (common + others.compactMap { HTTPField.Name($0) }).map { Known(name: $0, spelling: Array($0.rawName.utf8)) }
        let longest = known.map(\.spelling.count).max() ?? 0
        return (0...longest).map { length in known.filter { $0.spelling.count == length } }
    }()

    /// The name these bytes spell, in the case they spell it; `nil` when they are no token.
    static func name(_ bytes: Bytes) -> HTTPField.Name? {
        if bytes.count < byLength.count {
            for known in byLength[bytes.count] where bytes.isEqual(to: known.spelling) { return known.name }
        }
        return HTTPField.Name(bytes.text)
    }
}
