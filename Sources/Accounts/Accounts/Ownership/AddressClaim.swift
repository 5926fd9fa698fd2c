/// The reason for which an account is to get an address.
enum AddressClaim: Sendable, Hashable, CaseIterable {
    /// A session asks for it.
    case wished
    /// A provider reports it, and does not answer for it.
    case reported
    /// A code that was mailed to it, or its authority, proves it.
    case proved
}

extension Records {
    /// Whether an account takes an address: the one decision for every way to get one.
    ///
    /// Where accounts are hidden, an account that has an address, or ever had one, takes another
    /// only with proof of it. Its first address may be unproved, and so may the one that its user
    /// removed last, while it has none. Whether a reported address is taken is not told.
    ///
    /// Refuses `OPERATION_NOT_ALLOWED`, and `EMAIL_EXISTS` if another account has the address.
    /// - Returns: false if a reported address is left out, and the account keeps its own.
    func takes(
        _ address: EmailAddress, as claim: AddressClaim, _ account: Account, in project: Project
    ) throws(ActionError) -> Bool {
        if claim == .wished { try account.requireWish(for: address, in: project) }
        let isTaken = try self.account(withEmail: address, in: project.id).map { $0.id != account.id } ?? false
        if claim == .reported, project.hidesAccounts {
            return account.email == nil && account.mayWish(for: address, in: project) && !isTaken
        }
        guard !isTaken else { throw .refused(.emailExists) }
        return claim == .wished || account.email == nil
    }
}

extension Account {
    /// Refuses `OPERATION_NOT_ALLOWED` for an address that the account may not have unproved.
    func requireWish(for address: EmailAddress, in project: Project) throws(ActionError) {
        guard email == address || mayWish(for: address, in: project) else {
            throw .refused(.operationNotAllowed, detail: "Please verify the new email before changing email.")
        }
    }

    fileprivate func mayWish(for address: EmailAddress, in project: Project) -> Bool {
        !project.hidesAccounts || !hasHadAddress || email == nil && removedEmail == address
    }
}
