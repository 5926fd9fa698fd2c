extension Accounts {
    /// How long a network is remembered from which an account's user signed in.
    package static let networkRetention = Duration.seconds(90 * 86_400)

    /// Whether the user of the account with this address signed in from this network before. The
    /// work is the same without an account (B1).
    package func knows(_ network: String, of email: EmailAddress, in project: ProjectID) async throws(ActionError) -> Bool {
        let oldest = Timestamp(milliseconds: now().milliseconds - Self.networkRetention.milliseconds)
        return try await store.read { (records) throws(ActionError) in
            let account = try records.account(withEmail: email, in: project)?.id ?? AccountID(rawValue: email.value)
            return try records.knows(digest(of: network, of: account, in: project), since: oldest)
        }
    }

    /// The keyed hash under which a network of an account is stored.
    func digest(of network: String, of account: AccountID, in project: ProjectID) -> Digest {
        secrets.digest(Array("\(project) \(account) \(network)".utf8), for: .knownNetwork)
    }
}
