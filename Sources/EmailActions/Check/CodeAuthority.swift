package import Accounts

/// Who knows the codes: Onward's own store, or an Identity Toolkit elsewhere. The way of a link is written once for both.
package protocol CodeAuthority: Sendable {
    /// Looks at the code of a link and changes nothing.
    func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection
    /// Looks at the code of a link, and where that takes no more than a press, does what it allows in the same step. Refuses what else the
    /// action can be refused for; then the code is not spent.
    func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> PressResult
    /// Does what a live code allows, exactly once. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`, and what else the action can
    /// be refused for; then the code is not spent.
    func redeem(_ pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> Outcome
}

/// The result of pressing the button on a link's page.
package enum PressResult: Sendable {
    /// The action was applied by the press.
    case applied(Outcome)
    /// Nothing was changed: the code has ended, is for another action than the link's, or is live and
    /// has to be redeemed.
    case inspected(Inspection)
}

/// What the person gave beside the press of the button.
package enum RedeemInput: Sendable {
    case press
    case newPassword(String)
}

/// What an authority goes by when it is asked again about a code that it looked at.
enum Evidence: Sendable {
    case own(StoredCode, account: Account?, secondFactor: SecondFactor?)
    case upstream(ActionLink)

    /// The action as the authority has it, or where an upstream does not tell it of a code that is over, as the link has it.
    var action: Action {
        switch self {
        case .own(let code, _, _): code.action
        case .upstream(let link): link.action
        }
    }

    /// What was asked for with the code. An upstream tells nothing of it: there the link's own continue URL is all there is.
    var settings: ActionCodeSettings {
        switch self {
        case .own(let code, _, _): return code.settings
        case .upstream(let link):
            var settings = ActionCodeSettings()
            settings.url = link.continueURL
            return settings
        }
    }
}

/// Something that has been done. Only an authority makes one.
package struct Outcome: Sendable {
    /// What it was, as it stood before.
    package let done: PendingAction
    /// Nil where an upstream does not tell whose it was.
    package let account: AccountID?
    /// The account's address as it is now, where the authority tells.
    package let email: String?

    init(_ done: PendingAction, account: AccountID?, email: String?) {
        self.done = done
        self.account = account
        self.email = email
    }
}
