/// How long each action's code works. Defaults: as close to Firebase's as is known (`shared/wire/identity-toolkit.md` section 3).
package struct Lifetimes: Sendable, Hashable {
    private var spans: [Action: Duration] = [
        .resetPassword: .hours(1), .verifyEmail: .days(3), .signIn: .hours(1), .verifyAndChangeEmail: .days(1), .recoverEmail: .days(30),
        .revertSecondFactorAddition: .days(30),
    ]

    /// A code that lives longer is a password in a mailbox; undoing may take a holiday's time.
    package static func longest(for action: Action) -> Duration { action.isUndo ? .days(90) : .days(7) }
    package static let shortest = Duration.minutes(1)

    package init() {}

    package subscript(action: Action) -> Duration {
        get { spans[action] ?? .hours(1) }
        set { spans[action] = newValue }
    }
}

extension Duration {
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    package static func hours(_ count: Int) -> Duration { .minutes(count * 60) }
    package static func days(_ count: Int) -> Duration { .hours(count * 24) }
}
