public import Base

/// The state of a code.
public enum Inspection: Sendable {
    case live(PendingAction)
    /// The code was used.
    case used(EndedAction)
    /// The code was withdrawn: another link of its purpose was used, or the account has changed
    /// since.
    case withdrawn(EndedAction)
    case expired(EndedAction)
    /// The code is gone, and the answer of its upstream to an attempt to apply it was lost, so the
    /// outcome is not known and cannot be found out.
    case uncertain(EndedAction)
    /// The code never existed, belongs to another project, or was purged. These cases are not
    /// distinguished.
    case unknown

    var isLive: Bool {
        if case .live = self { true } else { false }
    }
}

/// An action that a live code allows, or allowed until it was just spent. Only an authority creates
/// one, so only inspected codes can be redeemed. It is a class because it is large, passed on often
/// and immutable.
public final class PendingAction: Sendable {
    public let action: Action
    public let project: Project
    /// The address that the code is about, as shown to the holder of the link; nil for `signIn`,
    /// where the user must enter the address, and for an account that gets its first one.
    public let email: String?
    /// The new address; for `recoverEmail`, the account's present address, as SDKs show it, if the
    /// authority reports it.
    public let newEmail: String?
    /// The name of the second factor to be removed, for `revertSecondFactorAddition`.
    public let factorName: String?
    /// The time at which the code expires; nil if an upstream does not report it.
    public let expiresAt: Timestamp?
    /// The creation time of the newest live code of this purpose that is newer than this one; nil
    /// if there is none or the authority does not report it. Both codes work.
    public let newerSince: Timestamp?
    let record: CodeRecord
    let findings: CodeFindings

    /// Creates an action from a code in Onward's own store.
    /// - Parameter account: the code's account; nil for a first sign-in.
    init(
        _ code: StoredCode, in project: Project, account: Account?, findings: CodeFindings = CodeFindings(),
        secondFactor: SecondFactor?, newerSince: Timestamp?
    ) {
        action = code.action
        self.project = project
        email = code.action.isAppliedByApp ? nil : code.presentEmail?.value
        newEmail = (code.action == .recoverEmail ? account?.email ?? code.newEmail : code.newEmail)?.value
        factorName = secondFactor?.shownName
        expiresAt = code.expiresAt
        self.newerSince = newerSince
        self.findings = findings
        record = .own(code, account: account, secondFactor: secondFactor)
    }

    /// Creates an action from an upstream's code.
    init(_ code: UpstreamCode, of link: ActionLink, in project: Project) {
        action = code.action
        self.project = project
        email = code.email
        newEmail = code.newEmail
        factorName = code.secondFactor
        expiresAt = nil
        newerSince = nil
        findings = CodeFindings()
        record = .upstream(link)
    }

    /// The destination after the action, so that the page can name it in advance.
    public func destination(link: ActionLink) -> Destination {
        Destination(after: action, requesting: record.settings, in: project, link: link)
    }

    /// The records in Onward's own store. Refuses `INVALID_OOB_CODE` for an upstream's code.
    func stored() throws(ActionError) -> (code: StoredCode, account: Account?, secondFactor: SecondFactor?) {
        guard case .own(let code, let account, let factor) = record else { throw .refused(.invalidOobCode) }
        return (code, account, factor)
    }

    /// The ways to sign in to the account, which a confirmation of its address accepts.
    public var waysIn: WaysIn? { findings.waysIn }

    /// The effects of the new password; nil for a code that sets none, and for an upstream's.
    public var passwordFacts: PasswordFacts? { findings.password }

    /// Whether the account has, or had, a password; nil if it is not known.
    public var formerPassword: PasswordFacts.Former? { (try? stored())?.account?.formerPassword }

    /// The effects of the change of address; nil for a code that makes none, and for an upstream's.
    public var addressChange: AddressChangeFacts? { findings.addressChange }

    /// The time at which the account was made that gets its first address.
    public var accountCreatedAt: Timestamp? {
        guard let (code, account, _) = try? stored(), code.addsAddress else { return nil }
        return account?.createdAt
    }

    /// The choices that the page offers besides its button.
    public var choices: Set<ActionChoice> { findings.choices }

    /// The time at which another account was made that has proved the address to be restored; nil
    /// if there is none.
    public var rivalMadeAt: Timestamp? { findings.rival?.createdAt }

    /// The time at which the code was asked for; nil for an upstream's code.
    public var requestedAt: Timestamp? { (try? stored())?.code.createdAt }

    /// The device that asked for the code; nil if it is not known.
    public var requestedBy: ClientDevice? { (try? stored())?.code.device }

    /// The second factor to be removed, as the API reports it; nil for an upstream's code.
    public var secondFactor: SecondFactor? { (try? stored())?.secondFactor }
}

/// An action whose code has ended.
public final class EndedAction: Sendable {
    public let project: Project
    /// The creation time of the newest live code of this purpose that is newer than this one; nil
    /// if there is none or the authority does not report it.
    public let newerSince: Timestamp?
    let record: CodeRecord
    /// The address of the account that an upstream has just applied its code to, if it is known.
    private let upstreamAddress: EmailAddress?

    init(_ record: CodeRecord, in project: Project, newerSince: Timestamp? = nil, appliedTo upstreamAddress: EmailAddress? = nil) {
        self.record = record
        self.upstreamAddress = upstreamAddress
        self.project = project
        self.newerSince = newerSince
    }

    /// The code's action; if an upstream does not report it for an ended code, the link's action.
    public var action: Action { record.action }

    /// The action that the code had been used for, if its effect is still to be seen; nil if a
    /// choice took its place, or for a sign-in, which its app makes.
    public var actionDone: Action? {
        guard !action.isAppliedByApp else { return nil }
        guard action == .recoverEmail, case .own(let code, let account, _) = record else { return action }
        return account?.email == code.email ? action : nil
    }

    /// The time at which the code expires or expired; nil if an upstream does not report it.
    public var expiresAt: Timestamp? { stored?.expiresAt }

    /// The destination of *Continue* on the page: none while it is not known which are authorised.
    /// An app gets no sign-in code that has ended.
    public func destination(link: ActionLink) -> Destination {
        guard project.upstream?.domains != .awaited else { return .stay(notAllowed: nil) }
        return action.isAppliedByApp
            ? Destination(backTo: record.settings.url, in: project)
            : Destination(after: action, requesting: record.settings, in: project, link: link)
    }

    /// Whether its account was disabled since.
    var accountIsDisabled: Bool {
        guard case .own(_, let account?, _) = record else { return false }
        return account.disabled
    }

    /// Whether its account was disabled or deleted, so that no new link can be sent.
    public var accountIsClosed: Bool {
        guard case .own(let code, let account, _) = record, code.account != nil else { return false }
        return account?.disabled ?? true
    }

    /// Whether its account has another address now, so that no new link can be sent to this one.
    public var addressHasLeft: Bool {
        guard case .own(let code, let account?, _) = record, !action.isUndo, !action.setsNewAddress, !action.isAppliedByApp else {
            return false
        }
        return account.email != code.email
    }

    /// Whether the account asked for a link to another address since, which ended this one.
    public var isSuperseded: Bool { stored?.isSuperseded ?? false }

    /// Whether the address that the link was to confirm is confirmed: by another link, or by a new
    /// password. Only the owner of the address has the code, which pages require.
    public var addressIsConfirmed: Bool {
        guard case .own(let code, let account?, _) = record, account.emailVerified, !account.disabled, code.action.verifiesAddress else {
            return false
        }
        return account.email == (code.action.setsNewAddress ? code.newEmail : code.email)
    }

    /// The address that a new link can be sent to; nil if none may be sent. Undo links are never
    /// renewed, because their time limit protects the account. A change of address must be
    /// requested by the account, because the old link may be an intruder's. An upstream mails its
    /// own links.
    public var recipient: EmailAddress? {
        stored.flatMap { $0.action.isUndo || $0.action.setsNewAddress || accountIsClosed || addressHasLeft ? nil : $0.email }
    }

    /// The address that a password reset can be sent to after an undo, because the person who made
    /// the change may know the password; nil if none is offered, if the account has another address
    /// now, and if an upstream's code was not applied lately.
    public var addressToSecure: EmailAddress? {
        guard action.isUndo, project.mailsResetAfterUndo else { return nil }
        guard case .own(let code, let account, _) = record else { return upstreamAddress }
        guard let account, !account.disabled, account.email == code.email, account.passwordHash != nil || action == .recoverEmail
        else { return nil }
        return code.email
    }

    var stored: StoredCode? {
        if case .own(let code, _, _) = record { code } else { nil }
    }
}

extension PendingAction {
    /// The reasons for which a new password would be refused; empty if it is acceptable.
    func objections(to password: String) -> [PasswordPolicy.Objection] {
        passwordPolicy.objections(to: password, words: words)
    }

    /// The rules for the new password.
    public var passwordPolicy: PasswordPolicy { project.passwordPolicyInForce(forTenant: tenant) }

    /// The tenant of an upstream's code.
    var tenant: String? { if case .upstream(let link) = record { link.tenant } else { nil } }

    /// The words that an attacker would try first when guessing the account's password.
    var words: [String] {
        (try? stored())?.account?.words ?? [email].compactMap(\.self)
    }
}
