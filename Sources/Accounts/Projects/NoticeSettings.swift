internal import Base

/// The notices that a project mails, of those that it may do without.
public struct NoticeSettings: Sendable, Hashable {
    public static let configurable: [LetterKind.Notice] = [
        .providerRemoved, .secondFactorRemoved, .recoveryCodeUsed, .sessionsEnded, .registrationTried, .newNetwork, .noAccount,
    ]

    private var mailed = Set(configurable).subtracting([.newNetwork, .noAccount])

    public init() {}

    public subscript(notice: LetterKind.Notice) -> Bool {
        get { mailed.contains(notice) || !Self.configurable.contains(notice) }
        set { if newValue { mailed.insert(notice) } else { mailed.remove(notice) } }
    }
}

extension LetterKind.Notice {
    /// The least time between two of these mails to an address, whatever causes them (V13); nil if
    /// each is mailed, because each says something else.
    var pause: Duration? {
        switch self {
        case .providerRemoved, .recoveryCodeUsed, .sessionsEnded, .newNetwork: .hours(1)
        case .registrationTried, .noAccount: .hours(24)
        case .providerAdded, .passwordAdded, .passwordChanged, .passwordRemoved, .emailChanged, .emailRestored, .addressLeft,
            .secondFactorRemoved, .accountDeleted, .alreadyMember, .noPassword:
            nil
        }
    }
}
