public import Base

/// An authenticator app that is being enrolled, for the user to add to the app.
public struct TOTPEnrollment: Sendable {
    /// In base32, as apps take it.
    public let sharedSecretKey: String
    /// The sealed key, which the client hands back with the first code: nothing is stored until the
    /// code proves that the app has the key.
    public let sessionInfo: String
    /// The moment at which `sessionInfo` expires.
    public let finalizeBy: Timestamp
}

/// The content of `TOTPEnrollment.sessionInfo`.
private struct PendingEnrollment: Codable {
    let project, account: String
    let validSince: Timestamp
    /// In base64url.
    let key: String
    let startedAt: Timestamp

    /// Long enough to install an app.
    static let lifetime = Duration.seconds(600)
}

extension Accounts {
    /// Begins the enrolment of an authenticator app. Nothing is stored.
    ///
    /// Refuses `UNSUPPORTED_FIRST_FACTOR` after a sign-in that asks for no second factor,
    /// `UNVERIFIED_EMAIL` if the user could not be told of the enrolment,
    /// and `SECOND_FACTOR_LIMIT_EXCEEDED`.
    public func startEnrollment(for user: SignedInUser) throws(ActionError) -> TOTPEnrollment {
        try user.requireEnrollable()
        let (account, key, moment) = (user.account, random(TOTP.keyByteCount), now())
        let pending = PendingEnrollment(
            project: account.project.rawValue, account: account.id.rawValue, validSince: account.validSince,
            key: Base64URL.encode(key), startedAt: moment)
        return TOTPEnrollment(
            sharedSecretKey: Base32.encode(key), sessionInfo: try secrets.sealed(pending, for: .totpEnrollment),
            finalizeBy: moment + PendingEnrollment.lifetime)
    }

    /// The authenticator app of an enrolment that was begun for this account, to be stored.
    ///
    /// Refuses `INVALID_SESSION_INFO`, even for one of this account if it has changed since;
    /// `SESSION_EXPIRED` after ten minutes, and `INVALID_CODE`.
    /// - Parameter code: what the app shows.
    /// - Returns: the factor, and the time step of the code, which has to be marked as used.
    public func enrolled(
        _ sessionInfo: String, by code: String, named displayName: String?, for account: Account
    ) throws(ActionError) -> (factor: SecondFactor, usedStep: Int64) {
        guard let pending = secrets.opened(sessionInfo, as: PendingEnrollment.self, for: .totpEnrollment),
            pending.project == account.project.rawValue, pending.account == account.id.rawValue, pending.validSince == account.validSince,
            let key = Base64URL.decode(pending.key)
        else { throw .refused(.invalidSessionInfo) }
        guard now() < pending.startedAt + PendingEnrollment.lifetime else { throw .refused(.sessionExpired) }
        guard let step = TOTP(key: key).step(of: code.typedDigits(TOTP.digits) ?? "", at: tokens.now()) else {
            throw .refused(.invalidCode)
        }
        let factor = SecondFactor(
            id: Base64URL.encode(random(15)), kind: .totp, displayName: displayName, sealedKey: secrets.seal(key, for: .secondFactor),
            enrolledAt: now())
        return (factor, step)
    }
}

extension SignedInUser {
    /// Refuses what `startEnrollment` refuses, and `SECOND_FACTOR_EXISTS` if the account has this
    /// phone number.
    /// - Parameter number: nil for an authenticator app.
    public func requireEnrollable(_ number: PhoneNumber? = nil) throws(ActionError) {
        switch provider {
        case .anonymous, .custom, .phone: throw .refused(.unsupportedFirstFactor)
        case .password, .provider: break
        }
        guard account.emailVerified else { throw .refused(.unverifiedEmail) }
        guard number == nil || !profile.secondFactors.contains(where: { $0.phoneNumber == number?.value }) else {
            throw .refused(.secondFactorExists)
        }
        guard profile.secondFactors.count < SecondFactor.maxPerAccount else { throw .refused(.secondFactorLimitExceeded) }
    }
}
