public import Accounts

extension VerificationCode: TableRow {
    static let table = "verification_code"
    static let columns = "session, project, account, second_factor, phone_number, digest, expires_at, wrong_tries"

    var values: [any SQLConvertible] {
        let (account, factor): (AccountID?, String?) =
            switch purpose {
            case .signIn: (nil, nil)
            case .enrollment(let account): (account, nil)
            case .secondFactor(let account, let id): (account, id)
            }
        return [session, project, account, factor, number, code, expiresAt, wrongTries]
    }

    public init(row: inout SQLRow) throws(SQLFailure) {
        let (session, project): (Digest, ProjectID) = (try row.next(), try row.next())
        let (account, factor): (AccountID?, String?) = (try row.next(), try row.next())
        let purpose = account.map { account in factor.map { .secondFactor(account, id: $0) } ?? .enrollment(account) } ?? Purpose.signIn
        self.init(
            session: session, project: project, purpose: purpose, number: try row.next(), code: try row.next(), expiresAt: try row.next(),
            wrongTries: try row.next())
    }
}

extension SQLRecords {
    public func verificationCode(_ session: Digest) throws(ActionError) -> VerificationCode? {
        try first(of: session) { digest throws(ActionError) in
            try first("\(VerificationCode.select) WHERE session = ?", [digest])
        }
    }

    public func insert(_ code: VerificationCode) throws(ActionError) { try insert(code, refusing: [:]) }

    public func countWrongTry(of session: Digest) throws(ActionError) {
        try execute("UPDATE verification_code SET wrong_tries = wrong_tries + 1 WHERE session = ?", [session])
    }

    public func deleteVerificationCode(_ session: Digest) throws(ActionError) -> Bool {
        try execute("DELETE FROM verification_code WHERE session = ?", [session]) == 1
    }
}
