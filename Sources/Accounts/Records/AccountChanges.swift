import Base

/// An account of a project.
public struct AccountKey: Sendable, Hashable {
    public let project: ProjectID
    public let account: AccountID

    public init(_ account: AccountID, in project: ProjectID) { (self.project, self.account) = (project, account) }
}

/// Tells of accounts that have changed, by this process or by another one that announces it.
/// Sign-ins and refreshes are not changes. A change may be missed, and some that are told of are
/// none.
public final class AccountChanges: Sendable {
    private let listeners = Locked<[UInt64: @Sendable (AccountKey) -> Void]>([:])
    private let numbers = AtomicCounter()

    public init() {}

    /// Calls `listener` for each account that has changed, until the number that is returned is
    /// removed. It is called on the thread of the change, and must be short.
    public func listen(_ listener: @escaping @Sendable (AccountKey) -> Void) -> UInt64 {
        let number = UInt64(numbers.add())
        listeners.update { $0[number] = listener }
        return number
    }

    public func remove(_ number: UInt64) { listeners.update { $0[number] = nil } }

    public func announce(_ keys: some Sequence<AccountKey>) {
        let listeners = listeners.value.values
        guard !listeners.isEmpty else { return }
        for key in keys { for listener in listeners { listener(key) } }
    }
}
