/// A class of characters that a password policy may require. It is judged in ASCII, as SDKs do
/// before they send. The cases are in the order in which Firebase names what is missing; the raw
/// values are those of the configuration. Source: Identity Platform `Enable, disable, and use
/// password policies`.
public enum CharacterClass: String, Sendable, CaseIterable, Codable {
    case lowercase, uppercase, numeric, nonAlphanumeric

    /// The only characters that count as not alphanumeric.
    public static let nonAlphanumerics = Array(#"^$*.[]{}()?"!@#%&/\,><':;|_~`"#.unicodeScalars)

    /// `nonAlphanumerics` as a text for users, separated by spaces.
    public static let listedNonAlphanumerics = nonAlphanumerics.map(String.init).joined(separator: " ")

    func isIn(_ password: String) -> Bool {
        password.unicodeScalars.contains { scalar in
            switch self {
            case .lowercase: ("a"..."z").contains(scalar)
            case .uppercase: ("A"..."Z").contains(scalar)
            case .numeric: ("0"..."9").contains(scalar)
            case .nonAlphanumeric: Self.nonAlphanumerics.contains(scalar)
            }
        }
    }
}
