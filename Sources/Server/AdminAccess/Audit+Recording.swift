public import Accounts
public import Base
import Foundation
import Logging
import Store

extension Audit {
    /// The audit of the server, which logs a record that could not be completed.
    init(store: Store, logger: Logger) {
        self.init(store: store) { record, error in
            logger.error(
                "audit record not completed",
                metadata: ["method": "\(record.method)", "request": "\(record.request ?? "")", "cause": "\(error.cause)"])
        }
    }
}

extension AuditStore {
    /// Runs a command of the command line and records it in the audit. Every command that changes
    /// or exports data uses it.
    /// - Parameters:
    ///   - command: the command with its subcommand, such as `users import`.
    ///   - known: the ids of the affected accounts or keys.
    ///   - lost: counts the record if it could not be completed.
    ///   - subjects: further ids, taken from the result.
    public func recording<Value>(
        _ command: String, in project: ProjectID? = nil, of known: [String] = [], lost: AtomicCounter? = nil,
        subjects: (Value) -> [String] = { _ in [] }, _ work: () async throws -> Value
    ) async throws -> Value {
        var record = AuditRecord(at: System.now(), actor: "\(Admin.user(System.user))", method: command)
        record.project = project
        record.subjects = known
        let audit = Audit(store: self) { _, error in
            let sentence = "onward: the command ran, but its audit record could not be completed: \(error.cause)\n"
            FileHandle.standardError.write(Data(sentence.utf8))
            lost?.add()
        }
        return try await audit.begin(record).run(code: Self.code, subjects: subjects, work)
    }

    private static func code(of error: any Error) -> String {
        switch error {
        case ActionError.refused(let refusal, _): refusal.rawValue
        case ActionError.unavailable: "UNAVAILABLE"
        default: "FAILED"
        }
    }
}
