/// The proof that the user has a phone number.
public enum PhoneProof: Sendable {
    case code(TypedVerificationCode)
    /// A `temporaryProof` of an earlier call, with its number.
    case temporary(String, PhoneNumber)
}

/// The use of a proof of a phone number. Source: Identity Toolkit `VerifyOp`.
public enum PhoneOperation: Sendable, Hashable {
    /// Signs in to the account with the number.
    /// - Parameter creates: whether an account is created if there is none.
    case signIn(creates: Bool)
    /// Gives the number to an account that is signed in.
    /// - Parameter replaces: whether the account may have another number.
    case link(to: Account, replaces: Bool)
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
    /// Signs in the owner of a phone number, creating the account if there is none, or links the
    /// number to an account. An account that has the number is not changed by signing in.
    ///
    /// Refuses `INVALID_SESSION_INFO`, `SESSION_EXPIRED`, `INVALID_CODE`, `USER_DISABLED`,
    /// `INVALID_TEMPORARY_PROOF`, `USER_NOT_FOUND`, `PROVIDER_ALREADY_LINKED` if the account has
    /// another number, `PHONE_NUMBER_EXISTS` for a temporary proof of another account's number, and
    /// `TOKEN_EXPIRED` if the account to link changed since it was seen; `tooSoon` after wrong
    /// codes (see `WrongCodes`).
    /// - Parameters:
    ///   - language: the language of a new account.
    ///   - network: the network of the client; nil if it says nothing about the user.
    public func signIn(
        with proof: PhoneProof, to operation: PhoneOperation, language: String? = nil, from network: String? = nil, in project: ProjectID
    ) async throws(ActionError) -> PhoneSignIn {
        let moment = now()
        var fresh = Account(project: project, id: .random(random), createdAt: moment)
        fresh.language = language
        let new = fresh
        let result = try await store.transaction { (records) throws(ActionError) -> PhoneSignIn? in
            guard let number = try number(provenBy: proof, from: network, in: project, at: moment, records) else { return nil }
            let holder = try records.account(withPhoneNumber: number, in: project)
            switch operation {
            case .signIn(let creates): return try signIn(number, of: holder, creating: creates ? new : nil, in: records)
            case .link(let seen, let replaces):
                guard let holder, holder.id != seen.id else { return try link(number, to: seen, replacing: replaces, in: records) }
                guard case .code = proof else { throw .refused(.phoneNumberExists) }
                let proof = TemporaryProof(
                    project: project.rawValue, number: number.value, account: holder.id.rawValue, validSince: holder.validSince,
                    expiresAt: moment + PhoneSignIn.proofLifetime)
                return .belongsToOther(number, temporaryProof: try secrets.sealed(proof, for: .temporaryProof))
            }
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let result else { throw .refused(.invalidCode) }
        return result
    }

    /// - Returns: nil for a wrong code, which was counted.
    private func number(
        provenBy proof: PhoneProof, from network: String?, in project: ProjectID, at moment: Timestamp, _ records: any AccountRecords
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

    private func signIn(
        _ number: PhoneNumber, of holder: Account?, creating new: Account?, in records: any AccountRecords
    ) throws(ActionError) -> PhoneSignIn {
        if let holder {
            guard !holder.disabled else { throw .refused(.userDisabled) }
            return .proven(holder, isNew: false)
        }
        guard var account = new else { throw .refused(.userNotFound) }
        account.phoneNumber = number
        try records.insert(account)
        return .proven(account, isNew: true)
    }

    private func link(
        _ number: PhoneNumber, to seen: Account, replacing replaces: Bool, in records: any AccountRecords
    ) throws(ActionError) -> PhoneSignIn {
        guard var account = try records.account(seen.id, in: seen.project) else { throw .refused(.userNotFound) }
        guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
        guard replaces || account.phoneNumber == nil || account.phoneNumber == number else { throw .refused(.providerAlreadyLinked) }
        account.phoneNumber = number
        try records.update(account)
        return .proven(account, isNew: false)
    }
}
