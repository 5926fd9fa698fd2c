internal import Base

/// The lifetimes of a project's codes, by action. The default is `Action.defaultLifetime`.
public struct Lifetimes: Sendable, Hashable {
    private var durations = Dictionary(uniqueKeysWithValues: Action.allCases.map { ($0, $0.defaultLifetime) })

    /// The longest lifetime that a project may set. A live code is as powerful as a password, but
    /// an owner on holiday needs time to undo a change.
    public static func longest(for action: Action) -> Duration { action.isUndo ? .days(90) : .days(7) }
    /// The shortest lifetime that a project may set.
    public static let shortest = Duration.minutes(1)

    public init() {}

    public subscript(action: Action) -> Duration {
        get { durations[action] ?? action.defaultLifetime }
        set { durations[action] = newValue }
    }
}
