public import Accounts

extension VerificationCode: TableRow {
    static let table = "verification_code"
    static let columns: TableColumns = "session, project, account, second_factor, phone_number, digest, expires_at, wrong_tries"

    var values: [any SQLConvertible] {
        let (account, factor): (AccountID?, String?) =
            switch purpose {
            case .signIn: (nil, nil)
            case .enrollment(let account): (account, nil)
            case .secondFactor(let account, let id): (account, id)
            }
        return [session, project, account, factor, number, code, expiresAt, wrongTries]
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        let (account, factor): (AccountID?, String?) = (try row["account"], try row["second_factor"])
        let purpose = account.map { account in factor.map { .secondFactor(account, id: $0) } ?? .enrollment(account) } ?? Purpose.signIn
        try self.init(
            session: row["session"], project: row["project"], purpose: purpose, number: row["phone_number"], code: row["digest"],
            expiresAt: row["expires_at"], wrongTries: row["wrong_tries"])
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
