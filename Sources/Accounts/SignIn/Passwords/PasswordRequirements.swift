/// Rules for new passwords: those that a page lists, or those of another Identity Toolkit server.
public struct PasswordRequirements: Sendable, Hashable {
    /// In characters; nil: none is known.
    public var minimumLength, maximumLength: Int?
    /// The character classes that a password must contain.
    public var classes: Set<CharacterClass>

    public init(minimumLength: Int? = nil, maximumLength: Int? = nil, classes: Set<CharacterClass> = []) {
        (self.minimumLength, self.maximumLength, self.classes) = (minimumLength, maximumLength, classes)
    }

    /// The rules that a refusal names.
    public init(_ shortcomings: PasswordShortcomings) {
        self.init(
            minimumLength: shortcomings.minimumLength, maximumLength: shortcomings.maximumLength,
            classes: Set(shortcomings.objections.compactMap { if case .lacks(let kind) = $0 { kind } else { nil } }))
    }

    /// Adds rules that were learnt later. A later length replaces the earlier one. If the minimum
    /// then exceeds the maximum, only the later lengths are in force.
    public mutating func add(_ later: PasswordRequirements) {
        minimumLength = later.minimumLength ?? minimumLength
        maximumLength = later.maximumLength ?? maximumLength
        if let least = minimumLength, let most = maximumLength, least > most {
            (minimumLength, maximumLength) = (later.minimumLength, later.maximumLength)
        }
        classes.formUnion(later.classes)
    }
}

extension PasswordPolicy {
    /// The minimum of Firebase, which an upstream may raise.
    public static let shortestOfUpstreams = 6

    /// The policy that also demands what another server does.
    public func adding(_ others: PasswordRequirements) -> PasswordPolicy {
        var policy = self
        policy.minimumLength = max(minimumLength, others.minimumLength ?? 0)
        policy.maximumLength = min(maximumLength, others.maximumLength ?? .max)
        guard !others.classes.isEmpty else { return policy }
        policy.requires = others.classes.union(isEnforced ? requires : [])
        policy.isEnforced = true
        return policy
    }
}
