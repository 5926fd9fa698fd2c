/// A class of characters that a password policy may require, as Unicode classifies them. The cases
/// are in the order in which Firebase names what is missing; the raw values are those of the
/// configuration. Source: Identity Platform `Enable, disable, and use password policies`.
public enum CharacterClass: String, Sendable, CaseIterable, Codable {
    case lowercase, uppercase, numeric
    /// Every character that is neither a letter nor a mark nor a digit, such as a space.
    case nonAlphanumeric

    /// The non-alphanumeric characters of ASCII, which SDKs know that check before they send.
    public static let nonAlphanumericsOfSDKs = (0x20...0x7e).map { Unicode.Scalar($0 as UInt8) }.filter(Self.nonAlphanumeric.contains)

    func isIn(_ password: String) -> Bool { password.unicodeScalars.contains(where: contains) }

    private func contains(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return switch self {
        case .lowercase: properties.isLowercase
        case .uppercase: properties.isUppercase
        case .numeric: properties.generalCategory == .decimalNumber
        case .nonAlphanumeric:
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
                .enclosingMark, .decimalNumber:
                false
            default: true
            }
        }
    }
}
