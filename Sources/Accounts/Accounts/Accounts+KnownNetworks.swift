internal import Base

extension Accounts {
    /// How long a network is remembered from which an account's user signed in.
    public static let networkRetention = Duration.seconds(90 * 86_400)

    /// Whether the user of the account with this address signed in from this network before. The
    /// work is the same without an account (B1).
    public func knows(_ network: String, of email: EmailAddress, in project: ProjectID) async throws(ActionError) -> Bool {
        try await store.read { (records) throws(ActionError) in
            let account = try records.account(withEmail: email, in: project)?.id ?? AccountID(rawValue: email.value)
            return try knows(network, of: account, in: project, records)
        }
    }

    /// Whether the user of an account signed in from this network before.
    /// - Parameter network: nil if it says nothing about the user.
    func knows(
        _ network: String?, of account: AccountID, in project: ProjectID, _ records: any Records
    ) throws(ActionError) -> Bool {
        guard let network else { return false }
        return try records.knows(digest(of: network, of: account, in: project), since: now() + (.zero - Self.networkRetention))
    }

    /// Tells the owner of an account that was used before of a sign-in from another network.
    func tell(
        ofNewNetwork network: Digest, by new: SessionOpening, of account: Account, in records: any Records
    ) throws(ActionError) {
        guard new.project.notices[.newNetwork], try !records.knows(network, since: new.moment + (.zero - Self.networkRetention)),
            try records.hasBeenUsed(account)
        else { return }
        let notice = drafts.notice(
            ifMailed: .newNetwork, to: account.email, for: account, by: new.client, in: new.project)
        try records.tell(notice, about: account)
    }

    /// The keyed hash under which a network of an account is stored.
    func digest(of network: String, of account: AccountID, in project: ProjectID) -> Digest {
        secrets.digest(Array("\(project) \(account) \(network)".utf8), for: .knownNetwork)
    }
}
