/// The objections of another Identity Toolkit server to a password, parsed from the text of its
/// refusal.
public struct PasswordShortcomings: Sendable, Hashable {
    /// The objections; at least one.
    public let objections: [PasswordPolicy.Objection]
    /// The lengths that the text names, in characters.
    public let minimumLength, maximumLength: Int?

    /// - Parameter text: the text after the code, such as `Missing password requirements: [ …, …
    ///   ]`. Unknown requirements are ignored. If none is known, the refusal is unexplained.
    public init(refusalText text: String) {
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
            case let words where words.contains("most common"): objections.append(.common)
            case let words where words.contains("own address"): objections.append(.containsOwnWords)
            case let words where words.contains("lower case"): objections.append(.lacks(.lowercase))
            case let words where words.contains("upper case"): objections.append(.lacks(.uppercase))
            case let words where words.contains("non-alphanumeric"): objections.append(.lacks(.nonAlphanumeric))
            case let words where words.contains("numeric"): objections.append(.lacks(.numeric))
            default: break
            }
        }
        self.objections = objections.isEmpty ? [.unexplained] : objections
        (minimumLength, maximumLength) = (minimum, maximum)
    }

    /// The refusal in the words of this server.
    /// - Parameter name: the refusal of the other server, for one without an explanation.
    public func refusal(named name: Refusal) -> ActionError {
        if objections == [.unexplained] { return .refused(name) }
        var policy = PasswordPolicy(minimumLength: minimumLength ?? 6, maximumLength: maximumLength ?? 4096)
        policy.isEnforced = objections.contains { if case .lacks = $0 { true } else { false } }
        return policy.refusal(of: objections)
    }
}
