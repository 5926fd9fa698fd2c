package import Accounts

/// Who knows the codes: Onward's own store, or an Identity Toolkit elsewhere. The way of a link is written once for both.
package protocol Authority: Sendable {
    /// Looks at a code and changes nothing.
    func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection
    /// Does what a live code allows, exactly once. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`, and what else the action can
    /// be refused for; then the code is not spent.
    func redeem(_ pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> Outcome
}

/// What the person gave beside the press of the button.
package enum RedeemInput: Sendable {
    case press
    case newPassword(String)
}

/// Something that has been done. Only an authority makes one.
package struct Outcome: Sendable {
    package let code: StoredCode
    package let project: Project
    /// The account as it is now.
    package let account: Account
    /// What a second-factor page names.
    package let secondFactor: SecondFactor?

    init(code: StoredCode, project: Project, account: Account, secondFactor: SecondFactor? = nil) {
        self.code = code
        self.project = project
        self.account = account
        self.secondFactor = secondFactor
    }

    package func destination(link: ActionLink) -> Destination { Destination(after: code, in: project, link: link) }
}
