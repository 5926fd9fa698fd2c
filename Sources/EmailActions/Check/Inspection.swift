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
}

/// An action that a live code allows. Only an inspection makes one, so only what was checked can be redeemed.
/// A class because it is large, handed on often and never changed.
package final class PendingAction: Sendable {
    package let code: StoredCode
    package let project: Project
    /// The second factor that goes, for `revertSecondFactorAddition`.
    package let secondFactor: SecondFactor?
    /// As it was at the inspection; nil for the actions that are prepared without it, to verify an address and to sign in.
    package let account: Account?
    /// When a newer live code of this purpose was made, if there is one; either works.
    package let newerSince: Timestamp?

    package var action: Action { code.action }
    package var email: EmailAddress { code.email }

    /// For `recoverEmail`: the account's present address, as SDKs show it; else the address changed to.
    package var newEmail: EmailAddress? { action == .recoverEmail ? account?.email ?? code.newEmail : code.newEmail }

    init(code: StoredCode, project: Project, secondFactor: SecondFactor?, account: Account?, newerSince: Timestamp?) {
        self.code = code
        self.project = project
        self.secondFactor = secondFactor
        self.account = account
        self.newerSince = newerSince
    }

    /// Where the person will go afterwards, for the page to say beforehand.
    package func destination(link: ActionLink) -> Destination { Destination(after: code, in: project, link: link) }
}

/// An action whose code is over.
package final class EndedAction: Sendable {
    package let code: StoredCode
    package let project: Project
    /// When a newer live code of this purpose was made, if there is one.
    package let newerSince: Timestamp?

    init(code: StoredCode, project: Project, newerSince: Timestamp?) {
        self.code = code
        self.project = project
        self.newerSince = newerSince
    }

    /// Where *Continue* leads from *already done*.
    package func destination(link: ActionLink) -> Destination { Destination(after: code, in: project, link: link) }

    /// Whether a new link may be sent at the press of a button. Never for what undoes, whose time limit is a safety of its own; never
    /// for a change of address, which the account must ask for itself: an old link may be an intruder's.
    package var canBeSentAgain: Bool { !code.action.isUndo && code.action != .verifyAndChangeEmail }
}
