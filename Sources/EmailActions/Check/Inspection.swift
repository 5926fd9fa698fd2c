package import Accounts

/// What became of a code that someone holds.
package enum Inspection: Sendable {
    case live(PendingAction)
    /// It worked earlier.
    case used(EndedAction)
    /// Another link did its work, or the account changed since.
    case withdrawn(EndedAction)
    case expired(EndedAction)
    /// Never existed, belongs to another project, or was purged: all alike.
    case unknown

    var isLive: Bool {
        if case .live = self { true } else { false }
    }
}

/// An action that a live code allows, or allowed until it was just spent. Only an authority makes one, so only what was checked can be redeemed.
/// A class because it is large, handed on often and never changed.
package final class PendingAction: Sendable {
    package let action: Action
    package let project: Project
    /// The address that it is about, as a holder of the code may see it: nil for `signIn`, where they must show that they know it.
    package let email: String?
    /// The address to come; for `recoverEmail` the account's present one, as SDKs show it, where the authority tells.
    package let newEmail: String?
    /// What to call the second factor that goes, for `revertSecondFactorAddition`.
    package let factorName: String?
    /// Nil where an upstream keeps it to itself.
    package let expiresAt: Timestamp?
    /// When a newer live code of this purpose was made, if there is one that the authority tells of; either works.
    package let newerSince: Timestamp?
    let evidence: Evidence

    /// Of Onward's own store.
    /// - Parameter account: nil for a first sign-in.
    init(_ code: StoredCode, in project: Project, account: Account?, secondFactor: SecondFactor?, newerSince: Timestamp?) {
        action = code.action
        self.project = project
        email = code.action == .signIn ? nil : code.email.value
        newEmail = (code.action == .recoverEmail ? account?.email ?? code.newEmail : code.newEmail)?.value
        factorName = secondFactor?.shownName
        expiresAt = code.expiresAt
        self.newerSince = newerSince
        evidence = .own(code, account: account, secondFactor: secondFactor)
    }

    /// Of an upstream.
    init(_ code: UpstreamCode, of link: ActionLink, in project: Project) {
        action = code.action
        self.project = project
        email = code.email
        newEmail = code.newEmail
        factorName = code.secondFactor
        expiresAt = nil
        newerSince = nil
        evidence = .upstream(link)
    }

    /// Where the person will go afterwards, for the page to say beforehand.
    package func destination(link: ActionLink) -> Destination {
        Destination(after: action, requesting: evidence.settings, in: project, link: link)
    }

    /// What Onward's own store has of it. Refuses `INVALID_OOB_CODE` for a code that is not its own.
    func stored() throws(ActionError) -> (code: StoredCode, account: Account?, secondFactor: SecondFactor?) {
        guard case .own(let code, let account, let factor) = evidence else { throw .refused(.invalidOobCode) }
        return (code, account, factor)
    }

    /// What the API tells of the second factor that goes; nil where it is not Onward's own.
    package var secondFactor: SecondFactor? { (try? stored())?.secondFactor }
}

/// An action whose code is over.
package final class EndedAction: Sendable {
    package let project: Project
    /// When a newer live code of this purpose was made, if there is one that the authority tells of.
    package let newerSince: Timestamp?
    let evidence: Evidence

    init(_ evidence: Evidence, in project: Project, newerSince: Timestamp? = nil) {
        self.evidence = evidence
        self.project = project
        self.newerSince = newerSince
    }

    /// As the link says where an upstream does not tell it of a code that is over.
    package var action: Action { evidence.action }

    /// Until when it was to work; nil where an upstream keeps it to itself.
    package var expiresAt: Timestamp? { stored?.expiresAt }

    /// Where *Continue* leads from *already done*.
    package func destination(link: ActionLink) -> Destination {
        Destination(after: evidence.action, requesting: evidence.settings, in: project, link: link)
    }

    /// Where a new link goes at the press of a button; nil where none may be sent. Never for what undoes, whose time limit is a safety of
    /// its own; never for a change of address, which the account must ask for itself: an old link may be an intruder's; and never for an
    /// upstream's, whose mails are its own.
    package var recipient: EmailAddress? {
        stored.flatMap { $0.action.isUndo || $0.action == .verifyAndChangeEmail ? nil : $0.email }
    }

    var stored: StoredCode? {
        if case .own(let code, _, _) = evidence { code } else { nil }
    }
}
