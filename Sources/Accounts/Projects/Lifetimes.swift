internal import Base

/// The lifetimes of a project's codes, by the mails that bring them. The default is
/// `Action.defaultLifetime`.
public struct Lifetimes: Sendable, Hashable {
    private var durations = Dictionary(uniqueKeysWithValues: kinds.map { ($0, usual(for: $0)) })

    /// The longest lifetime that a project may set. A live code is as powerful as a password, but
    /// an owner on holiday needs time to undo a change, and an invited person to come.
    public static func longest(for kind: LetterKind) -> Duration {
        if kind == .invitation { return .days(30) }
        return kind.action?.isUndo == true ? .days(90) : .days(7)
    }
    /// The shortest lifetime that a project may set.
    public static let shortest = Duration.minutes(1)

    private static let kinds = Action.allCases.map(LetterKind.action) + [.invitation]

    private static func usual(for kind: LetterKind) -> Duration {
        kind == .invitation ? .days(7) : kind.action?.defaultLifetime ?? .zero
    }

    public init() {}

    public subscript(kind: LetterKind) -> Duration {
        get { durations[kind] ?? Self.usual(for: kind) }
        set { durations[kind] = newValue }
    }

    public subscript(action: Action) -> Duration {
        get { self[.action(action)] }
        set { self[.action(action)] = newValue }
    }
}
