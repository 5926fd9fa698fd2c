/// A kind of character that a policy may ask for, in ASCII as SDKs check it before they send. In the order in which Firebase names what
/// is missing; the raw values are those of the configuration. Source: Identity Platform `Enable, disable, and use password policies`.
package enum CharacterClass: String, Sendable, CaseIterable, Codable {
    case lowercase, uppercase, numeric, nonAlphanumeric

    /// What counts as not alphanumeric, and nothing else does.
    package static let nonAlphanumerics = Array(#"^$*.[]{}()?"!@#%&/\,><':;|_~`"#.unicodeScalars)

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
