public import Base

/// A change of accounts that an app's own data has to follow, told to the operator's webhook.
public struct AccountEvent: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable { case merged, unmerged }

    /// The id of the request, which each attempt has.
    public let id: String
    public let kind: Kind
    public let merge: Merge
    public let project: ProjectID
    /// The account that the event is deleted with: the one that stayed, or the account that this
    /// one has been merged into since. The events of an account are sent in their order.
    public let owner: AccountID
    public let at: Timestamp
    /// The number of attempts that failed.
    public let attempts: Int

    /// - Parameter owner: nil for the account that stayed.
    public init(
        id: String, kind: Kind, merge: Merge, project: ProjectID, owner: AccountID? = nil, at: Timestamp, attempts: Int = 0
    ) {
        (self.id, self.kind, self.merge, self.project, self.at, self.attempts) = (id, kind, merge, project, at, attempts)
        self.owner = owner ?? merge.into
    }

    func owned(by account: AccountID) -> AccountEvent {
        AccountEvent(id: id, kind: kind, merge: merge, project: project, owner: account, at: at, attempts: attempts)
    }

    /// The body of the request.
    public var json: JSON {
        .object([
            "type": .string("account.\(kind.rawValue)"), "timestamp": .string(at.iso8601),
            "data": .object([
                "id": .string(id), "project": .string(project.rawValue), "localId": .string(merge.into.rawValue),
                "fromLocalId": .string(merge.from.rawValue),
            ]),
        ])
    }

    /// How long after the change its event is tried.
    public static let retention = Duration.days(30)

    /// The wait after a failed attempt: ten seconds, then three times as long each time, up to two
    /// hours.
    public var wait: Duration { min(.seconds(10) * (0..<min(attempts, 7)).reduce(1) { product, _ in product * 3 }, .seconds(7200)) }
}
