import Accounts
import ArgumentParser
import Base
import Server

/// `onward users merge`, which makes one account of two.
struct UsersMerge: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges an account into another of the same person.",
        discussion: """
            Providers and second factors move to the account that stays. It keeps its id, and its own address, phone number, name and \
            photo where it has one; a verified address wins over an unverified one, and a password goes with its address. Claims are \
            never taken. The other account is deleted, and the sessions of both end. Make sure that both belong to the same person: \
            each of them can sign in to the account afterwards.

            For 30 days `onward users unmerge` undoes it, unless the account has changed meanwhile. An app that stores data by the id of \
            the account learns of both by events (Docs/Events.md). The server may be running.

            EXAMPLES
              onward users merge --into 2f9cVmS1mB0qkq8G --from Xk3nTq0pLw72hYbA --dry-run
              onward users merge --into 2f9cVmS1mB0qkq8G --from Xk3nTq0pLw72hYbA
            """)

    @OptionGroup var pair: MergedAccounts
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "Print what would happen, and change nothing.") var dryRun = false
    @Flag(help: "Print the result as a JSON object.") var json = false

    func run(in context: ProjectAccounts.Context) async throws {
        let (merge, merging) = (pair.merge, context.merging)
        let plan =
            dryRun
            ? try await merging.plan(merge, in: context.project)
            : try await context.store.recording("users merge", in: context.project, of: pair.subjects) {
                try await merging.merge(merge, in: context.project, language: context.settings.language)
            }
        print(json ? plan.json(of: merge).text : plan.summary(of: merge, isDryRun: dryRun))
    }
}

/// `onward users unmerge`, which undoes a merge.
struct UsersUnmerge: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmerge",
        abstract: "Undoes a merge of the last 30 days.",
        discussion: """
            Both accounts are as they were before the merge, with the second factors as they are now; the sessions of both end. Refused \
            if the account has changed since: its address, password, phone number, profile, claims, providers or second factors, or if \
            another account has taken what belonged to the merged one.

            EXAMPLE
              onward users unmerge --into 2f9cVmS1mB0qkq8G --from Xk3nTq0pLw72hYbA
            """)

    @OptionGroup var pair: MergedAccounts
    @OptionGroup var accounts: ProjectAccounts

    func run(in context: ProjectAccounts.Context) async throws {
        try await context.store.recording("users unmerge", in: context.project, of: pair.subjects) {
            try await context.merging.unmerge(pair.merge, in: context.project, language: context.settings.language)
        }
        print("The account \(pair.from) is restored. Users of both accounts have to sign in again.")
    }
}

/// The options that name two accounts.
struct MergedAccounts: ParsableArguments {
    @Option(help: ArgumentHelp("The id of the account that stays.", valueName: "id")) var into: String
    @Option(help: ArgumentHelp("The id of the account that is merged into it.", valueName: "id")) var from: String

    /// For the audit.
    var subjects: [String] { [into, from] }
    var merge: Merge { Merge(into: AccountID(rawValue: into), from: AccountID(rawValue: from)) }
}

extension ProjectAccounts.Context {
    fileprivate var merging: Merging {
        Merging(store: store, outbox: outbox, secrets: secrets, now: clock.now)
    }
}

extension MergePlan {
    /// The plan as lines for people.
    func summary(of merge: Merge, isDryRun: Bool) -> String {
        func list(_ names: [String]) -> String { names.joined(separator: ", ") }
        var lines = [
            isDryRun
                ? "The account \(merge.from) would be merged into \(merge.into), and deleted. Nothing was changed."
                : "The account \(merge.from) was merged into \(merge.into), and deleted. `onward users unmerge` undoes it for 30 days."
        ]
        if !movedProviders.isEmpty { lines.append("  moved: sign-in with \(list(movedProviders.map(\.provider)))") }
        if !movedFactors.isEmpty {
            lines.append("  moved: second factors \(list(movedFactors.map(\.id))); their recovery codes end, so the user needs new ones")
        }
        if !droppedProviders.isEmpty {
            lines.append("  ends: sign-in with \(list(droppedProviders.map(\.provider))), because the account has another user there")
        }
        if !droppedFactors.isEmpty { lines.append("  ends: second factors with a phone number that the account has already") }
        if droppedAddress != nil {
            lines.append("  ends: an address; the account has \(account.email?.value ?? "none"), and the other one is told by mail")
        }
        if droppedPhoneNumber != nil { lines.append("  ends: the phone number of the merged account") }
        if dropsPassword { lines.append("  ends: a password, because a password goes with its address") }
        if dropsClaims { lines.append("  ends: the claims of the merged account, because they gave rights to its id") }
        lines.append("  Users of both accounts sign in again.")
        return lines.joined(separator: "\n")
    }
}
