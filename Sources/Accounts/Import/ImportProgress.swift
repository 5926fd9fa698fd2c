public import Base

/// The accounts that an import has stored, for the one event about it.
public struct ImportProgress: Sendable, Equatable {
    /// The id of the event.
    public let id: String
    /// The project of the accounts; nil before the first was stored.
    public private(set) var project: ProjectID?
    public private(set) var added = 0
    public private(set) var overwritten = 0
    public internal(set) var isFinished = false

    init(id: String) { self.id = id }

    mutating func count(_ verdict: UserImport.Verdict, in project: ProjectID) {
        self.project = project
        if verdict == .added { added += 1 } else { overwritten += 1 }
    }

    /// The time after which the event of an import that was broken off is sent.
    public static let patience = Duration.seconds(600)

    public func event(at now: Timestamp, in project: ProjectID) -> AccountEvent {
        AccountEvent(
            id: id, kind: .imported, project: project, account: nil, at: now,
            details: .object(["added": .int(added), "overwritten": .int(overwritten)]))
    }
}
