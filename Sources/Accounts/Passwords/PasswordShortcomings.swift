/// What an Identity Toolkit elsewhere misses in a password, read from the words in which it refuses it (`PasswordPolicy` says them).
package struct PasswordShortcomings: Sendable, Hashable {
    /// At least one.
    package let objections: [PasswordPolicy.Objection]
    /// The lengths that it names, in characters.
    package let minimumLength, maximumLength: Int?

    /// - Parameter text: what stands behind the code, such as `Missing password requirements: [ …, … ]`. Words that are not known are
    ///   passed over; where none is, the password is called common, which is the one thing that any policy may hold against it.
    package init(saidAs text: String) {
        var objections: [PasswordPolicy.Objection] = []
        var (minimum, maximum): (Int?, Int?)
        for requirement in text.lowercased().split(whereSeparator: { "[],".contains($0) }) {
            let number = requirement.firstMatch(of: /\d{1,4}/).flatMap { Int($0.output) }
            switch requirement {
            case let words where words.contains("at least") && number != nil:
                objections.append(.tooShort)
                minimum = number
            case let words where words.contains("at most") && number != nil:
                objections.append(.tooLong)
                maximum = number
            case let words where words.contains("lower case"): objections.append(.lacks(.lowercase))
            case let words where words.contains("upper case"): objections.append(.lacks(.uppercase))
            case let words where words.contains("non-alphanumeric"): objections.append(.lacks(.nonAlphanumeric))
            case let words where words.contains("numeric"): objections.append(.lacks(.numeric))
            default: break
            }
        }
        self.objections = objections.isEmpty ? [.common] : objections
        (minimumLength, maximumLength) = (minimum, maximum)
    }

    /// The same in our own words.
    package var refusal: ActionError {
        var policy = PasswordPolicy(minimumLength: minimumLength ?? 6, maximumLength: maximumLength ?? 4096)
        policy.isEnforced = objections.contains { if case .lacks = $0 { true } else { false } }
        return policy.refusal(of: objections)
    }
}
