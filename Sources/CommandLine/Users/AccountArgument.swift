import Accounts
import ArgumentParser
import Configuration
import Store

/// The account that a command is about: an address, or `--id`.
struct AccountArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The address of the account.", valueName: "address")) var address: String?
    @Option(help: ArgumentHelp("The id of the account, instead of an address.", valueName: "id")) var id: String?

    func validate() throws {
        guard (address == nil) != (id == nil) else { throw ValidationError("Expected an address or --id.") }
        guard id?.isEmpty != true else { throw ValidationError("Expected --id with the id of an account.") }
    }

    /// The text that names the account, as the operator typed it.
    var text: String { address ?? id ?? "" }

    /// Throws `Failure` if there is no such account.
    func profile(in context: ProjectAccounts.Context) async throws -> Accounts.Profile {
        let (email, id, project) = (try address.map { try EmailAddress(argument: $0) }, AccountID(rawValue: text), context.project)
        let found = try await context.store.read { (records) throws(ActionError) -> Accounts.Profile? in
            let account: Account?
            if let email {
                account = try records.account(withEmail: email, in: project)
            } else {
                account = try records.account(id, in: project)
            }
            guard let account else { return nil }
            return try records.profile(of: account)
        }
        guard let found else { throw Failure("project \(project) has no account \(text)") }
        return found
    }
}
