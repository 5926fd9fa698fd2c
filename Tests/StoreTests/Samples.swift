public import Accounts
import Base
import Store

extension ProjectID {
    static let shop = ProjectID(rawValue: "shop")
    static let blog = ProjectID(rawValue: "blog")
}

extension AccountID {
    static let ada = AccountID(rawValue: "ada")
    static let bob = AccountID(rawValue: "bob")
}

extension EmailAddress {
    static let ada = EmailAddress("ada@example.com")!
    static let bob = EmailAddress("bob@example.com")!
}

extension PhoneNumber {
    static let fictional = PhoneNumber("+15555550100")!
}

extension LinkedProvider {
    static let google = LinkedProvider(
        provider: "google.com", rawID: "1234", email: "Ada@Example.com", displayName: "Ada", photoURL: "https://example.com/ada.png")
    static let github = LinkedProvider(provider: "github.com", rawID: "1234")
}

extension Timestamp {
    static let noon = Timestamp(seconds: 1_800_000_000)
}

extension Account {
    static func sample(_ id: AccountID = .ada, in project: ProjectID = .shop, email: EmailAddress? = .ada) -> Account {
        var account = Account(project: project, id: id, createdAt: .noon)
        account.email = email
        return account
    }

    /// An account with a value in every column.
    static var complete: Account {
        var account = sample()
        account.emailVerified = true
        account.displayName = "Ada 'the first' Løvelace"
        account.photoURL = "https://example.com/ada.png"
        account.passwordHash = "$scrypt$ln=14,r=8,p=1$salt$hash"
        account.passwordUpdatedAt = .noon + .milliseconds(1)
        account.validSince = .noon + .seconds(2)
        account.disabled = true
        account.lastLoginAt = .noon + .milliseconds(3)
        account.lastRefreshAt = .noon + .milliseconds(5)
        account.language = "pt-BR"
        account.initialEmail = .bob
        account.emailLinkSignIn = true
        account.phoneNumber = .fictional
        account.customAttributes = #"{"role":"admin"}"#
        return account
    }
}

extension Digest {
    /// A digest that is different for each number.
    static func number(_ number: Int) -> Digest {
        Digest(bytes: (0..<33).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
    }
}

extension CodeKey {
    /// A key that is different for each number.
    static func number(_ number: Int) -> CodeKey { CodeKey(rowID: Int64(number + 1), digest: .number(number)) }
}

extension StoredCode {
    static func sample(
        _ key: CodeKey = .number(1), _ action: Action = .resetPassword, of account: AccountID? = .ada, email: EmailAddress = .ada,
        in project: ProjectID = .shop, madeAt: Timestamp = .noon, lasting span: Duration = .seconds(3600),
        settings: ActionCodeSettings = ActionCodeSettings(), mailHasNumber: Bool = false
    ) -> StoredCode {
        StoredCode(
            key: key, project: project, action: action, account: account, email: email,
            newEmail: action == .verifyAndChangeEmail ? .bob : nil, secondFactor: action == .revertSecondFactorAddition ? "phone" : nil,
            settings: settings, language: "de", createdAt: madeAt, expiresAt: madeAt + span,
            mailHasNumber: mailHasNumber)
    }
}

extension RefreshTokenRecord {
    static func sample(_ token: Digest = .number(1), of account: AccountID = .ada, by provider: SignInProvider = .password)
        -> RefreshTokenRecord
    {
        RefreshTokenRecord(token: token, project: .shop, account: account, authTime: .noon, provider: provider, createdAt: .noon)
    }
}

extension MailID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension StoredMail {
    static func sample(
        _ id: MailID, in project: ProjectID = .shop, account: AccountID? = nil, code: Int64? = nil, to recipient: EmailAddress = .ada,
        kind: LetterKind = .action(.signIn), source: Int64 = 0
    ) -> StoredMail {
        StoredMail(
            id: id, project: project, account: account, code: code, recipient: recipient,
            recipientDigest: .number(recipient == .ada ? 1 : 2),
            kind: kind, language: "en",
            source: source, sealed: [0, 1, 255], createdAt: .noon,
            uselessAfter: kind.action == nil ? nil : .noon + .seconds(60))
    }
}

extension Store {
    /// Inserts the accounts of Ada and Bob, and these codes.
    func prepare(_ codes: StoredCode...) async throws {
        try await transaction({ (records) throws(ActionError) in
            try records.insert(Account.sample())
            try records.insert(Account.sample(.bob, email: .bob))
            for code in codes { try records.insert(code) }
        })
    }

    func codes(_ numbers: Int...) async throws -> [StoredCode?] {
        try await read({ (records) throws(ActionError) in
            var codes: [StoredCode?] = []
            for number in numbers { codes.append(try records.code(.number(number))) }
            return codes
        })
    }

    func spend(_ number: Int, at now: Timestamp) async throws -> Bool {
        try await transaction({ (records) throws(ActionError) in try records.spend(.number(number), at: now) != nil })
    }

    func account(_ id: AccountID, in project: ProjectID = .shop) async throws -> Account? {
        try await read { (records) throws(ActionError) in try records.account(id, in: project) }
    }
}

extension Records {
    /// Spends a code whatever its action and project are.
    func spend(_ key: CodeKey, at now: Timestamp) throws(ActionError) -> StoredCode? {
        guard let code = try code(key) else { return nil }
        return try spend(key, of: code.action, in: code.project, at: now)
    }
}

extension Store {
    var erasure: Erasure {
        let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
        return Erasure(
            store: self, outbox: Outbox(secrets: secrets, random: { [UInt8](repeating: 1, count: $0) }), secrets: secrets)
    }
}
