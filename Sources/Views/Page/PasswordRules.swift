/// What a project asks of a password, said above the field.
package struct PasswordRules: Sendable, Hashable {
    /// In characters.
    package var minimum: Int
    /// In characters; nil: not said.
    package var maximum: Int?
    /// Which kinds of character must be in it.
    package var needsLowercase = false, needsUppercase = false, needsDigit = false, needsSymbol = false

    package init(minimum: Int = 8, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// One thing that is missing in a password, said beside the field.
package enum PasswordProblem: String, Sendable, Hashable, CaseIterable {
    case empty, tooShort, tooLong, needsLowercase, needsUppercase, needsDigit, needsSymbol
    /// It stands on the list of much used passwords.
    case tooCommon
    /// It is, or holds, the person's own address or the app's name.
    case tooPersonal
}
