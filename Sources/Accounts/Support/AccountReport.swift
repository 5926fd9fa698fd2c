public import Base

/// An account with what a person needs to know who helps its user. It contains no code and no
/// token.
public struct AccountReport: Sendable {
    public let profile: Accounts.Profile
    /// One for each sign-in that lasts, by its newest token.
    public let sessions: [RefreshTokenRecord]
    /// The links that work, by their codes.
    public let links: [StoredCode]
    public let provedAddresses: [ProvedAddress]
    /// The suppressions of its address.
    public let suppressions: [Suppression]
    /// Until when codes of a second factor are refused after wrong ones: from networks that are not
    /// known, or from all.
    public let secondFactorPausedUntil: Timestamp?
    /// The merges into it that can be undone.
    public let merges: [StoredMerge]
}

extension Accounts {
    /// The most sessions and links that a report names.
    private static let reportLimit = 200

    /// Refuses `USER_NOT_FOUND`.
    public func report(on id: AccountID, in project: ProjectID) async throws(ActionError) -> AccountReport {
        let moment = now()
        return try await store.read { [outbox] (records) throws(ActionError) in
            guard let account = try records.account(id, in: project) else { throw ActionError.refused(.userNotFound) }
            var families: Set<Digest> = []
            let tokens = try records.sessions(of: account, limit: Self.reportLimit)
            var pauses: [Timestamp] = []
            for isKnown in [true, false] {
                let wrong = try records.wrongCodes(.init(.account(id, project), fromKnownNetwork: isKnown))
                pauses += [wrong?.nextAt].compactMap(\.self)
            }
            return AccountReport(
                profile: try records.profile(of: account), sessions: tokens.filter { families.insert($0.family).inserted },
                links: try records.liveCodes(of: account, at: moment, limit: Self.reportLimit),
                provedAddresses: try records.provedAddresses(of: account),
                suppressions: try account.email.map { (email) throws(ActionError) in
                    try records.suppressions(of: outbox.digest(of: email, in: project), in: project, at: moment)
                } ?? [],
                secondFactorPausedUntil: pauses.filter { moment < $0 }.max(),
                merges: try records.merges(into: id, in: project).filter { moment < $0.at + Merge.reversible })
        }
    }

    public func audit(_ search: AuditSearch, in project: ProjectID) async throws(ActionError) -> AuditPage {
        try await store.read { (records) throws(ActionError) in try records.audit(search, in: project) }
    }

    /// How many mails are looked at, so that an overview costs the same whatever there is. Ended
    /// ones are counted in an index.
    private static let overviewLimits = (mails: 5_000, ended: 50_000)

    /// The mails of a project that wait or were given up, and what became of those of a day.
    public func mailOverview(in project: ProjectID) async throws(ActionError) -> MailOverview {
        let yesterday = now() + .days(-1)
        return try await store.read { (records) throws(ActionError) in
            try records.mailOverview(in: project, since: yesterday, limit: Self.overviewLimits.mails, endedLimit: Self.overviewLimits.ended)
        }
    }

    /// Events that wait or were given up, oldest first.
    public func events(
        of account: AccountID?, parked isParked: Bool?, in project: ProjectID, limit: Int
    ) async throws(ActionError) -> [EventDelivery] {
        try await store.read { (records) throws(ActionError) in
            try records.events(of: account, parked: isParked, in: project, limit: limit)
        }
    }

    /// Sends an event again. Refuses `INVALID_ARGUMENT` if there is none with this id.
    /// - Returns: the account that it tells of; nil for an import.
    public func retryEvent(_ id: String, in project: ProjectID) async throws(ActionError) -> AccountID? {
        let event = try await store.read { (records) throws(ActionError) in try records.event(id, in: project)?.event }
        guard try await store.retryEvents(id: id, in: project, at: now()) > 0 else {
            throw .refused(.invalidArgument, detail: "/id must be that of an event that waits or is parked")
        }
        return event?.account
    }

    /// The suppressions in force, newest first.
    public func suppressions(in project: ProjectID, limit: Int) async throws(ActionError) -> [Suppression] {
        let moment = now()
        return try await store.read { (records) throws(ActionError) in
            try records.suppressions(in: project, at: moment, limit: limit)
        }
    }

    /// Removes the suppressions of an address, so that it gets mails again.
    /// - Returns: the number of those that were removed.
    public func removeSuppressions(of recipient: EmailAddress, in project: ProjectID) async throws(ActionError) -> Int {
        let digest = outbox.digest(of: recipient, in: project)
        return try await store.transaction { (records) throws(ActionError) in try records.removeSuppressions(of: digest, in: project) }
    }
}
