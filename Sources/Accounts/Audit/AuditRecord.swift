/// What an admin did: never an address, a claim, a password or a link (O1).
package struct AuditRecord: Sendable, Hashable {
    /// How it went: `done`, or the code of the no.
    package enum Outcome: Sendable, Hashable {
        case done
        case refused(code: String)
    }

    package let at: Timestamp
    /// As `Admin` describes itself.
    package let actor: String
    /// The API's method, or the command with its subcommand.
    package let method: String
    /// Nil where it is about no project, or about none that could be told.
    package var project: ProjectID?
    /// The ids of the accounts that it is about, or of an admin key.
    package var subjects: [String] = []
    /// The numeric address that the call came from; nil at the command line.
    package var peer: String?
    /// The id that the log has for the request.
    package var request: String?
    /// Nil while it runs, and for ever where the process died in the middle.
    package var outcome: Outcome?

    package init(at: Timestamp, actor: String, method: String) {
        self.at = at
        self.actor = actor
        self.method = method
    }
}
