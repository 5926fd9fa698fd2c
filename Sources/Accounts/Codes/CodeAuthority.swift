/// The source of truth for codes: Onward's own store, or another Identity Toolkit. The steps of a
/// link are the same for both.
public protocol CodeAuthority: Sendable {
    /// Inspects the code of a link without changing anything.
    func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection
    /// Inspects the code of a link for a page that only shows it: a change of the last moments may
    /// be missing, if the database has replicas (N12), and a live code of an upstream is not looked
    /// up in the store.
    func preview(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection
    /// Inspects the code of a link and, if its action needs no further input, applies the action in
    /// the same step, unless the press looks like a program's (V10). Throws the action's refusals;
    /// the code is then not spent.
    func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult
    /// Applies the action of a live code, exactly once. Refuses `INVALID_OOB_CODE`,
    /// `EXPIRED_OOB_CODE` and the action's other refusals; the code is then not spent.
    func redeem(_ pending: PendingAction, with input: RedeemInput, from client: Client) async throws(ActionError) -> Outcome
}

/// The result of pressing the button on a link's page. An authority only inspects a live code whose
/// action needs input; `Accounts.press` goes on with it.
public enum PressResult: Sendable {
    /// Pressing the button applied the action.
    case applied(Outcome)
    /// Nothing was changed: the code has ended, or is for another action than the link's. Or it is
    /// live: an app applies it, or another account has got the address since the page was made.
    case inspected(Inspection)
    /// Nothing was changed: the code is live, and its user has to answer a question first.
    case challenged(PendingAction, PressQuestion, AutomationSign)
    /// Nothing was changed: the code is live, and its user has to choose another password.
    case passwordRefused(PendingAction, PasswordRefusal)
}

/// Why the password that a user typed on a link's page is not accepted.
public struct PasswordRefusal: Sendable {
    /// The sentences for the user; at least one.
    public let objections: [PasswordPolicy.Objection]
    /// The rules that the authority named when it refused; nil if it was not asked.
    public let requirements: PasswordRequirements?
    /// The answer to a program.
    public let error: ActionError
}

/// The input for applying a code.
public enum RedeemInput: Sendable {
    /// A press on the link's page, which goes on with the user.
    case press(ActionChoice? = nil)
    /// A call of the API.
    case call(ActionChoice? = nil)
    case newPassword(String)

    /// The choice of the user in place of the button.
    var choice: ActionChoice? {
        switch self {
        case .press(let choice), .call(let choice): choice
        case .newPassword: nil
        }
    }
}

/// The authority's own record of a code that it inspected, for later requests about that code.
enum CodeRecord: Sendable {
    case own(StoredCode, account: Account?, secondFactor: SecondFactor?)
    case upstream(ActionLink)

    /// The code's action according to the authority. For an ended code whose action an upstream
    /// does not report, it is the link's action.
    var action: Action {
        switch self {
        case .own(let code, _, _): code.action
        case .upstream(let link): link.action
        }
    }

    /// The settings that were requested with the code. An upstream does not report them, so for its
    /// codes they contain only the link's continue URL.
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

/// An action that was applied. Only an authority creates one.
public struct Outcome: Sendable {
    /// The action as it was before it was applied.
    public let done: PendingAction
    /// The account that the action was applied to; nil if an upstream does not report it.
    public let account: AccountID?
    /// The account's address after the action; nil if the authority does not report it.
    public let email: String?
    /// The choice of the user in place of the button.
    public let choice: ActionChoice?
    /// The code that lets the user choose a new password in the same visit.
    public let passwordReset: IssuedCode?

    init(
        _ done: PendingAction, account: AccountID?, email: String?, choice: ActionChoice? = nil, passwordReset: IssuedCode? = nil
    ) {
        self.done = done
        self.account = account
        self.email = email
        self.choice = choice
        self.passwordReset = passwordReset
    }
}
