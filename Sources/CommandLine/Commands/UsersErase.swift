import Accounts
import ArgumentParser
import Base
import Configuration
import Server

/// `onward users erase`, which deletes what is stored about a person.
struct UsersErase: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases a person: the account and everything else that is stored about it.",
        discussion: """
            Deletes the account with its sessions, codes, second factors and links to providers, the mails to its addresses that wait, and \
            the record of those that were sent. Audit records stay, without the id of the account; `(erased)` is in its place. An address \
            without an account can be erased as well: sign-in links may have been sent to it. The state before a merge that had the account \
            is erased, so the merge can no longer be undone. If nothing is left to erase, the command succeeds. The server may be running.

            The command says what it cannot reach. Docs/PersonalData.md has a table of every personal datum.

            EXAMPLES
              onward users erase ada@example.com --project my-app
              onward users erase --id 2f9cVmS1mB0qkq8G --project my-app --yes --json
            """)

    @OptionGroup var account: AccountArgument
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @Flag(help: "Print the result as a JSON object.") var json = false

    func run(in context: ProjectAccounts.Context) async throws {
        let person = try person
        guard yes || confirms("Erase \(account.text) and everything that is stored about it from project \(context.project)?") else {
            throw Failure("nothing was erased; answer yes, or pass --yes to erase without a question")
        }
        let erasure = Erasure(store: context.store, outbox: context.outbox, secrets: context.secrets)
        let erased = try await context.store.recording("users erase", in: context.project) {
            try await erasure.erase(person, in: context.project)
        }
        print(json ? Self.json(erased, in: context.project).text : Self.summary(of: erased, in: context.project))
    }

    private var person: Erasure.Person {
        get throws(Failure) {
            guard let address = account.address else { return .account(AccountID(rawValue: account.text)) }
            let email = try EmailAddress(argument: address)
            return .address(email)
        }
    }

    /// The places that keep data of the person, and what to do about each.
    private static let unreached = [
        ("backups", "backups, files of `users export`, and databases that a restore replaced: delete them, or erase again after a restore"),
        ("log", "the log: ids of accounts and network addresses, never e-mail addresses; delete it or let it expire"),
        ("mail", "mails that were handed over: relays, mail providers and webhooks have logs of their own; ask them"),
        ("tokens", "ID tokens, which last an hour: until then back ends that do not check for revocation accept them"),
        ("upstream", "other systems: your own databases, and the Firebase project if this project has an authority; delete it there"),
    ]

    static func summary(of erased: Erasure.Erased, in project: ProjectID) -> String {
        let account =
            erased.account.map { "the account \($0) was erased, and" }
            ?? "no account was found; mails and codes without one were erased, and"
        return "Project \(project): \(account) \(erased.auditRecords) audit records no longer name it."
            + erased.merges.map { merge in
                "\nThe merge of \(merge.from) into \(merge.into) can no longer be undone."
                    + (merge.into == erased.account ? "" : " The account \(merge.into) has what was moved to it; erase it by its id.")
            }.joined() + "\nNot reached by this command:" + unreached.map { "\n  - \($0.1)" }.joined()
    }

    static func json(_ erased: Erasure.Erased, in project: ProjectID) -> JSON {
        .object([
            "project": .string(project.rawValue), "account": erased.account.map { .string($0.rawValue) } ?? .null,
            "auditRecords": .int(erased.auditRecords),
            "merges": .array(erased.merges.map { .object($0.members) }), "notReached": .array(unreached.map { .string($0.0) }),
        ])
    }
}
