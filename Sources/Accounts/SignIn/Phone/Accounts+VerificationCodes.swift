public import Base

/// A code that was stored and has to be sent.
public struct IssuedVerificationCode: Sendable {
    /// Six digits.
    public let code: String
    /// The secret that the client sends to name the code: 43 characters of base64url.
    public let sessionInfo: String
    public let number: PhoneNumber
    public let expiresAt: Timestamp
}

extension Accounts {
    /// Sends a new code to a phone number.
    ///
    /// Refuses `OPERATION_NOT_ALLOWED` if the project sends no text messages, or none to this
    /// number, `tooSoon`, and what the sender refuses. For a sign-in that could not succeed no
    /// message is paid: it is `UNSUPPORTED_FIRST_FACTOR` or `ADMIN_ONLY_OPERATION`, or where
    /// accounts are hidden a code that is not sent.
    /// - Parameter send: sends the code. It is not called for a test number, or for a sign-in that
    ///   could not succeed.
    public func sendVerificationCode(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose, from client: Client, in project: Project,
        send: (IssuedVerificationCode, TextMessageSettings) async throws(ActionError) -> Void
    ) async throws(ActionError) -> IssuedVerificationCode {
        guard let settings = project.textMessages else {
            throw .refused(.operationNotAllowed, detail: "Text messages are off; see textMessages in the configuration")
        }
        let testCode = settings.testCodes[number]
        guard testCode != nil || settings.reaches(number) else {
            throw .refused(.operationNotAllowed, detail: "SMS unable to be sent until this region enabled by the app developer.")
        }
        let (network, id) = (client.network, project.id)
        // Bounds the work, also where no message is sent.
        return try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            let isKnown = testCode == nil ? try await knows(network, of: number, for: purpose, in: id) : false
            let reason: LimitedAttempt.TextMessageReason =
                if case .secondFactor = purpose { .secondFactor(inKnownNetwork: isKnown) } else if isKnown { .knownNetwork } else {
                    .stranger
                }
            let messages: [LimitedAttempt] = testCode == nil ? [.textMessage(number, reason)] : []
            return try await counted(by: messages, from: client, in: project) { () throws(ActionError) in
                let refusal = try await refusal(of: number, for: purpose, in: project)
                if let refusal, !project.hidesAccounts { throw refusal }
                let isOfUse = refusal == nil
                let issued = try await issueVerificationCode(
                    to: number, for: purpose, fixed: isOfUse ? testCode : nil, from: network, in: id)
                if testCode == nil, isOfUse { try await send(issued, settings) }
                return issued
            }
        }
    }

    /// Stores a new code for a phone number. The client gets `sessionInfo`, and the phone the code.
    ///
    /// Refuses `tooSoon` during a pause that wrong codes cost, in which no code would be looked at.
    /// - Parameters:
    ///   - fixed: the code of a test number; nil: a random one.
    ///   - network: the network of the client; nil if it says nothing about the user.
    func issueVerificationCode(
        to number: PhoneNumber, for purpose: VerificationCode.Purpose, fixed: String? = nil, from network: String? = nil,
        in project: ProjectID
    ) async throws(ActionError) -> IssuedVerificationCode {
        let moment = now()
        let issued = IssuedVerificationCode(
            code: fixed ?? sixDigits(), sessionInfo: Base64URL.encode(random(32)), number: number,
            expiresAt: moment + VerificationCode.lifetime)
        let stored = VerificationCode(
            session: secrets.digest(ofSession: issued.sessionInfo), project: project, purpose: purpose, number: number,
            code: secrets.digest(of: issued.code, inSession: issued.sessionInfo), expiresAt: issued.expiresAt)
        try await store.transaction { (records) throws(ActionError) in
            let counter = try counter(of: stored, from: network, in: records)
            try records.requireNoPause(counter, at: moment)
            try records.insert(stored)
        }
        return issued
    }

    /// Whether the user of the account with a phone number signed in from this network before. The
    /// work is the same without an account.
    private func knows(
        _ network: String?, of number: PhoneNumber, for purpose: VerificationCode.Purpose, in project: ProjectID
    ) async throws(ActionError) -> Bool {
        try await store.read { (records) throws(ActionError) in
            let account =
                switch purpose {
                case .signIn, .enrollment: try records.account(withPhoneNumber: number, in: project)?.id
                case .secondFactor(let account, _): account
                }
            return try knows(network, of: account ?? AccountID(rawValue: number.value), in: project, records)
        }
    }

    /// The phone of an enrolment that was begun for this account, to be stored once its code is
    /// found to be right. Refuses `INVALID_SESSION_INFO`.
    public func enrolled(
        by typed: TypedVerificationCode, named displayName: String?, for account: Account
    ) async throws(ActionError) -> SecondFactor {
        let (session, moment) = (secrets.digest(ofSession: typed.sessionInfo), now())
        let number = try await store.read { (records) throws(ActionError) in
            try records.verificationCode(session, in: account.project, for: .enrollment(account.id)).number
        }
        return SecondFactor(
            id: Base64URL.encode(random(15)), kind: .phone, displayName: displayName, phoneNumber: number.value, enrolledAt: moment)
    }

    /// The row in which wrong codes are counted: the number's, or for a second factor the
    /// account's, as for its other factors.
    func counter(
        of sent: VerificationCode, from network: String?, in records: any Records
    ) throws(ActionError) -> WrongCodes.Counter {
        switch sent.purpose {
        case .signIn, .enrollment:
            let holder = try records.account(withPhoneNumber: sent.number, in: sent.project)?.id ?? AccountID(rawValue: sent.number.value)
            return WrongCodes.Counter(
                .number(sent.number, sent.project), fromKnownNetwork: try knows(network, of: holder, in: sent.project, records))
        case .secondFactor(let account, _):
            return WrongCodes.Counter(
                .account(account, sent.project), fromKnownNetwork: try knows(network, of: account, in: sent.project, records))
        }
    }

    /// Six digits from eight random bytes. Each number is as likely as the next.
    private func sixDigits() -> String {
        let number = random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let text = String(number)
        return String(repeating: "0", count: VerificationCode.digits - text.utf8.count) + text
    }
}

extension Records {
    /// The code of a session. Refuses `INVALID_SESSION_INFO` if it is of another project or was
    /// sent for another purpose.
    func verificationCode(
        _ session: Digest, in project: ProjectID, for purpose: VerificationCode.Purpose
    ) throws(ActionError) -> VerificationCode {
        guard let sent = try verificationCode(session), sent.project == project, sent.purpose == purpose else {
            throw .refused(.invalidSessionInfo)
        }
        return sent
    }
}
