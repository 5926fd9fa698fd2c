public import Base

/// Records every admin operation durably before it runs, and completes the record afterwards (O3).
public struct Audit: Sendable {
    private let store: any AuditStore
    private let lost: @Sendable (AuditRecord, ActionError) -> Void

    /// - Parameter lost: called when a record could not be completed. The operation has run, so the
    ///   record stays without an outcome.
    public init(store: any AuditStore, lost: @escaping @Sendable (AuditRecord, ActionError) -> Void) {
        self.store = store
        self.lost = lost
    }

    /// Writes a record. If it throws, the operation must not run.
    public func begin(_ record: AuditRecord) async throws(ActionError) -> Entry {
        Entry(audit: self, record: record, position: try await store.begin(record))
    }

    /// A record that was written and has no outcome yet: the permission to run the operation.
    public struct Entry: Sendable {
        fileprivate let audit: Audit
        fileprivate let record: AuditRecord
        fileprivate let position: Int

        /// Runs the operation and records its outcome.
        /// - Parameters:
        ///   - code: the refusal code of an error.
        ///   - subjects: ids that only the result tells, in addition to those of the record.
        public func run<Value, Failure: Error>(
            code: (Failure) -> String, subjects: (Value) async -> [String], _ work: () async throws(Failure) -> Value
        ) async throws(Failure) -> Value {
            let result: Value
            do { result = try await work() } catch {
                await end(.refused(code: code(error)), subjects: [])
                throw error
            }
            await end(.done, subjects: await subjects(result))
            return result
        }

        private func end(_ outcome: AuditOutcome, subjects: [String]) async {
            var completed = record
            completed.outcome = outcome
            completed.subjects += subjects.filter { !record.subjects.contains($0) }
            do { try await audit.store.end(position, as: completed) } catch { audit.lost(completed, error) }
        }
    }
}

/// The store of audit records.
public protocol AuditStore: Sendable {
    /// Writes a record, durably.
    /// - Returns: the record's position.
    func begin(_ record: AuditRecord) async throws(ActionError) -> Int
    /// Completes a record by its outcome and subjects. A record that has an outcome never changes
    /// again.
    func end(_ position: Int, as record: AuditRecord) async throws(ActionError)
}

/// The result of an admin operation: `done`, or the code of its refusal.
public enum AuditOutcome: Sendable, Hashable {
    case done
    case refused(code: String)
}

/// One admin operation. It never contains an address, a claim, a password or a link (O1).
public struct AuditRecord: Sendable, Hashable {
    public let at: Timestamp
    /// The admin, as `Admin` describes itself.
    public let actor: String
    /// The API's method, or the command with its subcommand.
    public let method: String
    /// Nil for an operation that concerns no project, or an unknown one.
    public var project: ProjectID?
    /// The ids of the accounts, or of the admin key, that the operation concerns.
    public var subjects: [String] = []
    /// The numeric address of the client; nil at the command line.
    public var peer: String?
    /// The request's id in the log.
    public var request: String?
    /// Nil while the operation runs, and forever if the process died before its end.
    public var outcome: AuditOutcome?

    public init(at: Timestamp, actor: String, method: String) {
        self.at = at
        self.actor = actor
        self.method = method
    }
}

/// The origin of an admin operation, as the log and the audit name it.
public enum Admin: Sendable, Hashable, CustomStringConvertible {
    /// An admin key of the API. The operator chose its label.
    case key(id: String, label: String, scope: AdminScope)
    /// A request with `Bearer owner` to a listener that accepts it.
    case owner
    /// A command, with the name of the Unix user.
    case user(String)

    public var scope: AdminScope { if case .key(_, _, let scope) = self { scope } else { .usual } }

    /// The kind comes first, so that no label can imitate another admin. An id contains no spaces.
    public var description: String {
        switch self {
        case .key(let id, let label, _): "key:\(id) \(label)"
        case .owner: "owner"
        case .user(let name): "cli:\(name)"
        }
    }
}
