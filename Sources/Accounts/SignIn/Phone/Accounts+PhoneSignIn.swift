import Base

/// The proof that the user has a phone number.
public enum PhoneProof: Sendable {
    case code(TypedVerificationCode)
    /// A `temporaryProof` of an earlier call, with its number.
    case temporary(String, PhoneNumber)
}

/// The result of a proof of a phone number.
public enum PhoneSignIn: Sendable {
    /// The account that has the number now.
    case proven(Account, isNew: Bool)
    /// The number was to be linked and belongs to another account. The client may sign in to that
    /// one for five minutes by a proof, because the code was used.
    case belongsToOther(PhoneNumber, temporaryProof: String)

    /// Long enough for a person to decide.
    public static let proofLifetime = Duration.seconds(300)
}

/// The content of a `temporaryProof`. It is bound to the account that has the number, as it was.
private struct TemporaryProof: Codable {
    let project, number, account: String
    let validSince, expiresAt: Timestamp
}

extension Accounts {
    /// Signs in the owner of a phone number; the session follows, or the question for a second
    /// factor. Users with an account are let in, however many signed up from the same source: a
    /// sign-up is counted if the code, which is not used then, has no account.
    /// - Parameter creates: whether an account is created if there is none.
    public func signIn(
        with proof: PhoneProof, creates: Bool, language: String?, from client: Client, in project: Project
    ) async throws(ActionError) -> (PhoneSignIn, FirstFactorResult?) {
        // Only bounds the work: guesses are counted with the number.
        try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            let (result, step): (PhoneSignIn, FirstStep)
            do throws(ActionError) {
                (result, step) = try await spend(proof, creates: false, language: language, from: client, in: project)
            } catch {
                guard creates, error.refusal == .userNotFound else { throw error }
                try project.requireSignUp(with: nil)
                (result, step) = try await counted(by: [.signUp], from: client, in: project) { () throws(ActionError) in
                    try await spend(proof, creates: true, language: language, from: client, in: project)
                }
            }
            return (result, try await self.result(of: step))
        }
    }

    /// Gives a proved phone number to the account of a user, whose session is replaced. A number is
    /// a lasting way to sign in, so an old token is not enough to link one. Refuses what `link` to
    /// an account refuses.
    public func link(
        _ proof: PhoneProof, to user: SignedInUser, replacing replaces: Bool, from client: Client, in project: Project
    ) async throws(ActionError) -> (PhoneSignIn, FirstFactorResult?) {
        try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            try requireRecentSignIn(toLink: user)
            try project.requireAddition(of: nil, by: user)
            let before = user.account
            let result = try await counted(by: [.change], from: client, in: project) { () throws(ActionError) in
                try await counted(
                    by: Self.noticeAttempts(to: before), from: client, in: project, as: { $0.ending(ofNoticeTo: before) }
                ) { () throws(ActionError) in
                    try await link(proof, to: before, replacing: replaces, from: client, in: project)
                }
            }
            guard case .proven(let account, _) = result else { return (result, nil) }
            return (result, .signedIn(try await openSession(for: account, by: .phone, replacing: user, in: project)))
        }
    }

    /// Spends the proof of a phone number and opens the session of its owner, in one transaction.
    /// Creates the account if there is none. An account that has the number is not changed.
    ///
    /// Refuses `INVALID_SESSION_INFO`, `SESSION_EXPIRED`, `INVALID_CODE`, `USER_DISABLED`,
    /// `INVALID_TEMPORARY_PROOF`, `USER_NOT_FOUND`, and `UNSUPPORTED_FIRST_FACTOR` if the number is
    /// the account's only second factor; `tooSoon` after wrong codes (see `WrongCodes`).
    /// - Parameters:
    ///   - creates: whether an account is created if there is none.
    ///   - language: the language of a new account.
    private func spend(
        _ proof: PhoneProof, creates: Bool, language: String?, from client: Client, in project: Project
    ) async throws(ActionError) -> (PhoneSignIn, FirstStep) {
        let moment = now()
        let opening = SessionOpening(provider: .phone, factor: nil, client: client, project: project, moment: moment)
        var fresh = Account(project: project.id, id: .random(random), createdAt: moment)
        fresh.language = language
        let new = creates ? fresh : nil
        let result = try await store.transaction { (records) throws(ActionError) -> (PhoneSignIn, FirstStep)? in
            guard let number = try number(provenBy: proof, from: client.network, in: project.id, at: moment, records) else { return nil }
            let (account, isNew) = try user(of: number, records.account(withPhoneNumber: number, in: project.id), or: new, in: records)
            return (.proven(account, isNew: isNew), try firstStep(opening, for: account, in: records))
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let result else { throw .refused(.invalidCode) }
        return result
    }

    /// Gives a proved phone number to an account that is signed in, and tells its owner.
    ///
    /// Refuses `INVALID_SESSION_INFO`, `SESSION_EXPIRED`, `INVALID_CODE`,
    /// `INVALID_TEMPORARY_PROOF`, `USER_NOT_FOUND`, `PROVIDER_ALREADY_LINKED` if the account has
    /// another number, `PHONE_NUMBER_EXISTS` for a temporary proof of another account's number, and
    /// `TOKEN_EXPIRED` if the account changed since it was `seen`; `tooSoon` after wrong codes (see
    /// `WrongCodes`).
    /// - Parameter replaces: whether the account may have another number.
    public func link(
        _ proof: PhoneProof, to seen: Account, replacing replaces: Bool, from client: Client, in project: Project
    ) async throws(ActionError) -> PhoneSignIn {
        let moment = now()
        let result = try await store.transaction { (records) throws(ActionError) -> PhoneSignIn? in
            guard let number = try number(provenBy: proof, from: client.network, in: project.id, at: moment, records) else { return nil }
            guard let holder = try records.account(withPhoneNumber: number, in: project.id), holder.id != seen.id else {
                let linked = try link(number, to: seen, replacing: replaces, in: records, at: moment)
                if number != seen.phoneNumber {
                    try postNotice(ofLinking: number.value, to: seen, from: client, in: project, by: records)
                }
                return linked
            }
            guard case .code = proof else { throw .refused(.phoneNumberExists) }
            let proof = TemporaryProof(
                project: project.id.rawValue, number: number.value, account: holder.id.rawValue, validSince: holder.validSince,
                expiresAt: moment + PhoneSignIn.proofLifetime)
            return .belongsToOther(number, temporaryProof: try secrets.sealed(proof, for: .temporaryProof))
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let result else { throw .refused(.invalidCode) }
        return result
    }

    /// - Returns: nil for a wrong code, which was counted.
    private func number(
        provenBy proof: PhoneProof, from network: String?, in project: ProjectID, at moment: Timestamp, _ records: any Records
    ) throws(ActionError) -> PhoneNumber? {
        switch proof {
        case .code(let typed):
            let sent = try records.verificationCode(secrets.digest(ofSession: typed.sessionInfo), in: project, for: .signIn)
            let isRight = try records.counting(try counter(of: sent, from: network, in: records), at: moment) { () throws(ActionError) in
                try records.spend(typed, of: sent, by: secrets, at: moment)
            }
            return isRight ? sent.number : nil
        case .temporary(let text, let number):
            guard let proof = secrets.opened(text, as: TemporaryProof.self, for: .temporaryProof), proof.project == project.rawValue,
                proof.number == number.value, moment < proof.expiresAt,
                let holder = try records.account(withPhoneNumber: number, in: project), holder.id.rawValue == proof.account,
                holder.validSince == proof.validSince
            else { throw .refused(.invalidTemporaryProof) }
            return number
        }
    }

    private func user(
        of number: PhoneNumber, _ holder: Account?, or new: Account?, in records: any Records
    ) throws(ActionError) -> (Account, isNew: Bool) {
        if let holder {
            guard !holder.disabled else { throw .refused(.userDisabled) }
            return (holder, isNew: false)
        }
        guard var account = new else { throw .refused(.userNotFound) }
        account.setPhoneNumber(number, at: account.createdAt)
        try records.insert(account)
        return (account, isNew: true)
    }

    private func link(
        _ number: PhoneNumber, to seen: Account, replacing replaces: Bool, in records: any Records, at moment: Timestamp
    ) throws(ActionError) -> PhoneSignIn {
        guard var account = try records.account(seen.id, in: seen.project) else { throw .refused(.userNotFound) }
        guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
        guard replaces || account.phoneNumber == nil || account.phoneNumber == number else { throw .refused(.providerAlreadyLinked) }
        account.setPhoneNumber(number, at: moment)
        try records.update(account)
        return .proven(account, isNew: false)
    }
}

extension PhoneSignIn {
    /// A number that is another's, or that the account has, is linked without a notice.
    fileprivate func ending(ofNoticeTo before: Account) -> AttemptEnd {
        if case .proven(let after, _) = self, after.phoneNumber != before.phoneNumber { .done } else { .void }
    }
}
