public import Base
internal import Foundation

/// A custom token, read and verified: a back-end's statement about a user whom it has
/// authenticated. Source: Firebase `Create Custom Tokens`.
public struct CustomToken: Sendable {
    public let account: AccountID
    /// A JSON object that the ID tokens of the session repeat; nil if there are no claims.
    public let claims: String?

    static let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    static let maxLifetime = Duration.seconds(3600)
    static let maxClaimsBytes = 2048

    /// Reads a token of production: signed with RS256 by one of the project's service accounts (T1,
    /// T2), for an hour at most.
    ///
    /// Refuses `INVALID_CUSTOM_TOKEN`, `CREDENTIAL_MISMATCH` for the token of an unknown service
    /// account, `MISSING_IDENTIFIER`, `FORBIDDEN_CLAIM` and `CLAIMS_TOO_LARGE`.
    public init(signed text: String, by accounts: [ServiceAccount], at moment: Timestamp) throws(ActionError) {
        // Until the signature is verified, only the name of the signer is read.
        guard let token = CompactToken(text), let names: Names = token.decoded() else { throw Self.invalid("It is not a signed JWT") }
        let signers = accounts.filter { $0.email == names.iss }
        guard !signers.isEmpty else {
            throw .refused(.credentialMismatch, detail: "The project has no service account with the email in iss; see serviceAccounts")
        }
        guard signers.contains(where: { $0.signed(token) }) else {
            throw Self.invalid("The signature was not made with a key of the service account")
        }
        guard let payload: Payload = token.decoded() else { throw Self.invalid("A field has the wrong type, or is nested too deeply") }
        guard payload.sub == payload.iss else { throw Self.invalid("sub must be iss") }
        try payload.requireTime(moment)
        try self.init(payload)
    }

    /// Reads a token of development: an unsigned JWT, as admin SDKs make them for an emulator, or
    /// an object with `uid` and `claims`. Nothing is verified.
    public init(unsigned text: String) throws(ActionError) {
        if let bare = try? JSONDecoder().decode(Payload.self, from: Data(text.utf8)) {
            try self.init(uid: bare.uid, claims: bare.claims)
        } else {
            guard let token = CompactToken(text), token.header.alg == .none, token.signature.isEmpty,
                let payload: Payload = token.decoded()
            else { throw Self.invalid("It is neither an unsigned JWT nor a JSON object") }
            try self.init(payload)
        }
    }

    private init(_ payload: Payload) throws(ActionError) {
        guard payload.aud == Self.audience else { throw Self.invalid("aud must be \(Self.audience)") }
        guard payload.tenant == nil else { throw .refused(.tenantsNotOffered) }
        try self.init(uid: payload.uid, claims: payload.claims)
    }

    private init(uid: String?, claims: [String: Claim]?) throws(ActionError) {
        guard let uid, !uid.isEmpty else { throw .refused(.missingIdentifier) }
        guard uid.unicodeScalars.count <= 128, !uid.utf8.contains(0) else { throw Self.invalid("uid must have at most 128 characters") }
        account = AccountID(rawValue: uid)
        guard let claims else {
            self.claims = nil
            return
        }
        if let reserved = claims.keys.sorted().first(where: Claim.reserved.contains) { throw .refused(.forbiddenClaim, detail: reserved) }
        guard let text = try? Claim.text(claims), text.utf8.count <= Self.maxClaimsBytes else {
            throw .refused(.claimsTooLarge, detail: "At most \(Self.maxClaimsBytes) bytes")
        }
        self.claims = text
    }

    fileprivate static func invalid(_ why: String) -> ActionError { .refused(.invalidCustomToken, detail: why) }

    private struct Names: Decodable { let iss: String? }

    private struct Payload: Decodable {
        let iss, sub, aud: String?
        let iat, exp, nbf: Int64?
        let uid: String?
        let claims: [String: Claim]?
        let tenant: String?

        enum CodingKeys: String, CodingKey {
            case iss, sub, aud, iat, exp, nbf, uid, claims
            case tenant = "tenant_id"
        }

        /// Checks the times of the token (T3).
        func requireTime(_ moment: Timestamp) throws(ActionError) {
            guard let iat, let exp else { throw CustomToken.invalid("iat and exp must be numbers of seconds") }
            let (span, isTooBig) = exp.subtractingReportingOverflow(iat)
            guard !isTooBig, (1...CustomToken.maxLifetime.components.seconds).contains(span) else {
                throw CustomToken.invalid("exp must be at most an hour after iat")
            }
            let latest = (moment + IDTokens.skew).seconds
            guard iat <= latest, nbf ?? iat <= latest else { throw CustomToken.invalid("It is not valid yet") }
            guard moment.seconds < exp else { throw CustomToken.invalid("It is expired") }
        }
    }
}

extension Accounts {
    /// Signs in the user whom a custom token names, and creates the account if there is none.
    /// Refuses `USER_DISABLED`. As with Firebase, no second factor is asked for: the app's own
    /// server has authenticated the user.
    ///
    /// Refuses `INVALID_CUSTOM_TOKEN` and `CREDENTIAL_MISMATCH`, and throws `tooSoon`.
    /// - Parameter acceptsUnsigned: whether an unsigned token is expected instead of a signed one,
    ///   as in development only (T1).
    public func signIn(
        byCustomToken text: String, acceptsUnsigned: Bool, from client: Client, in project: Project
    ) async throws(ActionError) -> (tokens: IssuedTokens, isNew: Bool) {
        try await counted(by: [.customToken], from: client, in: project) { () throws(ActionError) in
            let token =
                acceptsUnsigned
                ? try CustomToken(unsigned: text) : try CustomToken(signed: text, by: project.serviceAccounts, at: tokens.now())
            return try await signIn(by: token, in: project)
        }
    }

    func signIn(by token: CustomToken, in project: Project) async throws(ActionError) -> (tokens: IssuedTokens, isNew: Bool) {
        let opening = SessionOpening(
            provider: .custom, factor: nil, claims: token.claims, client: .admin, project: project, moment: now())
        let fresh = Account(project: project.id, id: token.account, createdAt: opening.moment)
        let (session, isNew) = try await store.transaction { (records) throws(ActionError) in
            guard let account = try records.account(token.account, in: project.id) else {
                try records.insert(fresh)
                return (try open(opening, for: fresh, in: records), true)
            }
            guard !account.disabled else { throw ActionError.refused(.userDisabled) }
            return (try open(opening, for: account, in: records), false)
        }
        return (try await issue(session), isNew)
    }
}
