/// The step after the button was pressed, by action. By default a new password is confirmed by a
/// page, because its user has to know that it was saved, and other actions redirect at once.
public struct ContinuePolicies: Sendable, Hashable {
    private var policies = Dictionary(
        uniqueKeysWithValues: configurable.map { ($0, $0.setsPassword ? Project.ContinuePolicy.page : .straight) })

    /// The actions for which a project can choose. The page after an undo also offers a password
    /// reset, so it is always shown; a sign-in link is always handed on to the app.
    public static let configurable = Action.allCases.filter { !$0.isUndo && !$0.isAppliedByApp }

    public init() {}

    /// Policies with the same step after every action.
    public init(_ policy: Project.ContinuePolicy) {
        for action in Self.configurable { policies[action] = policy }
    }

    public subscript(action: Action) -> Project.ContinuePolicy {
        get { policies[action] ?? .page }
        set { policies[action] = newValue }
    }
}
