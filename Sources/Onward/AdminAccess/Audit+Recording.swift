import Accounts
import Foundation
import Logging
import Store

extension Audit {
    /// The server's: a record that could not be completed is told in the log.
    init(store: Store, logger: Logger) {
        self.init(store: store) { record, error in
            logger.error(
                "how an admin's call went is not on record",
                metadata: ["method": "\(record.method)", "request": "\(record.request ?? "")", "cause": "\(error)"])
        }
    }
}

extension Store {
    /// Does what a command of the command line is for, on record: a command that changes something goes through here,
    /// and so does one that takes everything away.
    /// - Parameters:
    ///   - command: with its subcommand, such as `users import`.
    ///   - subjects: the ids of accounts or keys that only the result tells.
    func recording<Value>(
        _ command: String, in project: ProjectID? = nil, of known: [String] = [], subjects: (Value) -> [String] = { _ in [] },
        _ work: () async throws -> Value
    ) async throws -> Value {
        var record = AuditRecord(at: System.now(), actor: "\(Admin.user(System.user))", method: command)
        record.project = project
        record.subjects = known
        let audit = Audit(store: self) { _, error in
            FileHandle.standardError.write(Data("onward: what was done is not on record as done: \(error)\n".utf8))
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
