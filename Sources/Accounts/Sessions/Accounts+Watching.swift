import Base

/// A session of a user, as a client proved it by an ID token. It is small, because many wait.
public struct WatchedSession: Sendable {
    public let key: AccountKey
    fileprivate let validSince: Timestamp
    fileprivate let family: Digest
}

extension SignedInUser {
    public var watched: WatchedSession {
        WatchedSession(key: AccountKey(account.id, in: account.project), validSince: account.validSince, family: session.family)
    }
}

extension Accounts {
    /// The account of a session that was proved before. Refuses what `user(behind:)` refuses if the
    /// session has ended.
    public func profile(of session: WatchedSession) async throws(ActionError) -> Profile {
        let key = session.key
        return try await store.read { (records) throws(ActionError) in
            guard let account = try records.account(key.account, in: key.project) else { throw .refused(.userNotFound) }
            guard !account.disabled else { throw .refused(.userDisabled) }
            guard account.validSince == session.validSince, try records.session(family: session.family, of: account) != nil else {
                throw .refused(.tokenExpired)
            }
            return try records.profile(of: account)
        }
    }
}
