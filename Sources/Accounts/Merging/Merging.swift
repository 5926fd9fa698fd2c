public import Base

/// The merging of two accounts of one person, and its undoing.
public struct Merging: Sendable {
    private let store: any Storage
    private let outbox: Outbox
    private let secrets: Secrets
    private let now: Now

    public init(store: any Storage, outbox: Outbox, secrets: Secrets, now: @escaping Now) {
        (self.store, self.outbox, self.secrets, self.now) = (store, outbox, secrets, now)
    }

    /// Plans a merge without changing anything. Refuses what `merge` refuses.
    public func plan(_ merge: Merge, in project: ProjectID) async throws(ActionError) -> MergePlan {
        try await store.read { (records) throws(ActionError) in
            try MergePlan(
                merging: records.profile(of: records.existing(merge.from, in: project)),
                into: records.profile(of: records.existing(merge.into, in: project)))
        }
    }

    /// Merges an account into another, in one transaction. The sessions of both end, because the
    /// ways to sign in have changed.
    ///
    /// Refuses `USER_NOT_FOUND`, and what `MergePlan` refuses.
    /// - Parameter language: the language of the notice for an account that has none.
    public func merge(_ merge: Merge, in project: ProjectID, language: String) async throws(ActionError) -> MergePlan {
        let moment = now()
        let (erasure, secrets) = (Erasure(store: store, outbox: outbox, secrets: secrets), secrets)
        return try await store.transaction { (records) throws(ActionError) in
            let into = try records.existing(merge.into, in: project)
            let from = try records.existing(merge.from, in: project)
            let plan = try MergePlan(merging: records.profile(of: from), into: records.profile(of: into))
            let (recoveryCodes, factorsByAdmins) = (try records.recoveryCodes(of: from), try records.secondFactorsByAdmins(of: from))
            let proofs = MergeSnapshot.Proofs(
                into: try records.provedAddresses(of: into),
                from: try records.provedAddresses(of: from),
                undoLinks: try records.moveUndoLinks(of: merge.from, to: merge.into, in: project))
            for link in plan.movedProviders { try records.move(link, of: merge.from, to: merge.into, in: project) }
            for factor in plan.movedFactors { try records.move(factor.id, of: merge.from, to: merge.into, in: project) }
            // The app learns of them first, and then that this account was merged, too.
            try records.moveEvents(of: merge.from, to: merge.into, in: project)
            // Frees its address and its number. Undo links of the addresses that it proved may wait
            // in the queue.
            let kept = [plan.account.email, plan.droppedAddress].compactMap(\.self) + proofs.from.map(\.email)
            try erasure.delete(from, keeping: kept, from: records)
            let account = try records.end(.merged, of: plan.account, at: moment)
            let verified = account.emailVerified ? account.email : nil
            try records.set(proofs.into.merged(with: proofs.from, verified: verified, at: moment), of: account.id, in: project)
            if account.email != into.email {
                try records.withdrawCodes(of: account.id, in: project, for: [.revertSecondFactorAddition], at: moment)
            }
            if let dropped = plan.droppedAddress {
                try records.tell(notice(to: dropped, of: account, language: language, at: moment), about: account)
            }
            let snapshot = MergeSnapshot(
                of: plan, into: into, from: from, proofs: proofs, factorsByAdmins: factorsByAdmins, recoveryCodes: recoveryCodes,
                after: try records.profile(of: account))
            try records.insert(
                StoredMerge(merge: merge, project: project, at: moment, sealedSnapshot: try snapshot.sealed(by: secrets)))
            records.note(.merged, of: merge, in: project)
            return plan
        }
    }

    /// Undoes a merge, in one transaction. The sessions of both accounts end. An address that the
    /// merge freed is taken back from an account that has not proved it.
    ///
    /// Refuses `USER_NOT_FOUND` if there is no merge that can be undone, `OPERATION_NOT_ALLOWED` if
    /// the account has changed since, and `DUPLICATE_LOCAL_ID`, `EMAIL_EXISTS`,
    /// `PHONE_NUMBER_EXISTS` and `FEDERATED_USER_ID_ALREADY_LINKED` if another account has taken
    /// what belonged to the merged one.
    /// - Parameter language: as for `merge`.
    public func unmerge(_ merge: Merge, in project: ProjectID, language: String) async throws(ActionError) {
        let (moment, secrets) = (now(), secrets)
        try await store.transaction { (records) throws(ActionError) in
            guard let stored = try records.merge(merge, in: project), moment < stored.at + Merge.reversible else {
                throw .refused(
                    .userNotFound, detail: "there is no merge of \(merge.from) into \(merge.into) that can be undone; one can for 30 days")
            }
            let snapshot = try MergeSnapshot(sealed: stored.sealedSnapshot, by: secrets)
            let merged = try records.profile(of: records.existing(merge.into, in: project))
            guard snapshot.isUnchanged(merged) else {
                throw .refused(
                    .operationNotAllowed,
                    detail: "the account \(merge.into) has changed since: its address, password, phone number, profile, claims, "
                        + "providers or second factors")
            }
            let (into, from) = snapshot.accounts(since: merged.account, at: moment)
            let proofs = snapshot.proofs(since: try records.provedAddresses(of: merged.account))
            if let left = merged.account.email, left != into.email {
                try records.tell(notice(to: left, of: into, language: language, at: moment), about: merged.account)
            }
            for address in [into.email, from.email].compactMap(\.self) {
                try records.takeBack(address, for: merge.into, in: project, at: moment)
            }
            _ = try records.end(.merged, of: into, at: moment)
            try records.insert(from)
            try records.set(proofs.into, of: merge.into, in: project)
            try records.set(proofs.from, of: merge.from, in: project)
            try records.moveUndoLinks(proofs.undoLinks, to: merge.from, in: project)
            for link in snapshot.movedProviders { try records.move(link, of: merge.into, to: merge.from, in: project) }
            for link in snapshot.droppedProviders { try records.insert(link, of: merge.from, in: project, at: moment) }
            for id in snapshot.factors {
                if let dropped = snapshot.droppedFactors.first(where: { $0.id == id }) {
                    try records.insert(dropped, of: merge.from, in: project, byAdmin: snapshot.isByAdmin(dropped))
                } else {
                    try records.move(id, of: merge.into, to: merge.from, in: project)
                }
            }
            for code in snapshot.recoveryCodes { try records.insert(code, of: from) }
            try records.delete(stored)
            records.note(.unmerged, of: merge, in: project)
        }
    }

    /// Tells the owner of an address that the account has another one now, or none.
    private func notice(to address: EmailAddress, of account: Account, language: String, at moment: Timestamp) -> StoredMail {
        var letter = Letter(.notice(.emailChanged), to: address, language: account.language ?? language, createdAt: moment)
        letter.displayName = account.displayName
        letter.otherEmail = account.email
        return outbox.row(letter, id: store.rowIDs.next(), in: account.project, account: account.id, from: .admin)
    }
}

extension Records {
    /// Refuses `USER_NOT_FOUND`.
    fileprivate func existing(_ id: AccountID, in project: ProjectID) throws(ActionError) -> Account {
        guard let account = try account(id, in: project) else { throw .refused(.userNotFound, detail: "there is no account \(id)") }
        return account
    }
}
