public import Accounts
import Base
import Configuration
public import Web

/// The sample accounts of `onward dev`, with a mail for each action.
public struct SampleAccounts {
    private static let ada = EmailAddress("ada@example.com")!
    private static let alan = EmailAddress("alan@example.com")!
    private static let grace = EmailAddress("grace@example.com")!
    private static let graceNewEmail = EmailAddress("grace.hopper@example.com")!
    private static let edsger = EmailAddress("edsger@example.com")!
    private static let barbara = EmailAddress("barbara@example.com")!
    private static let password = "onward-demo"

    /// The accounts shown on the start page. Barbara has none until she uses her sign-in link.
    public static let all = [ada, alan, graceNewEmail, edsger].map { Site.SampleAccount(email: $0, password: password) }

    /// The samples have one password, whatever the rules of the project are.
    private static var policy: PasswordPolicy {
        var policy = PasswordPolicy(minimumLength: password.count)
        policy.refusesGuessable = false
        return policy
    }

    private let accounts: Accounts
    private let project: Project
    private let origin: String

    /// - Parameter origin: the origin of the page that their links continue to.
    public init(_ accounts: Accounts, in project: Project, origin: String) {
        (self.accounts, self.project, self.origin) = (accounts, project, origin)
    }

    /// Creates the accounts and their mails. The last mail is the first in the inbox.
    public func seed() async throws(ActionError) {
        let edsger = try await person(Self.edsger, "Edsger Dijkstra", isVerified: true)
        let phone = SecondFactor(
            id: Base64URL.encode(accounts.random(16)), kind: .phone, displayName: "Phone", phoneNumber: "+15555550100",
            enrolledAt: accounts.now())
        try await accounts.enroll(phone, by: nil, for: edsger, from: .admin, in: project)

        // The change is applied, so that the old address gets a mail to undo it.
        let grace = try await person(Self.grace, "Grace Hopper", isVerified: true)
        if let change = try await send(.verifyAndChangeEmail, for: .account(grace), newEmail: Self.graceNewEmail) {
            _ = try await accounts.redeem(
                try await accounts.pending(change.code, in: project, from: .admin), from: .admin)
        }

        let alan = try await person(Self.alan, "Alan Turing")
        _ = try await send(.verifyAndChangeEmail, for: .account(alan), newEmail: EmailAddress("alan.turing@example.com"))
        _ = try await send(.signIn, for: .address(Self.barbara))
        let ada = try await person(Self.ada, "Ada Lovelace")
        _ = try await send(.resetPassword, for: .account(ada))
        _ = try await send(.verifyEmail, for: .account(ada))
    }

    private func person(_ email: EmailAddress, _ name: String, isVerified: Bool = false) async throws(ActionError) -> Account {
        var new = NewAccount(project: project.id)
        (new.email, new.emailVerified) = (email, isVerified)
        new.displayName = name
        new.password = Self.password
        return try await accounts.signUp(new, policy: Self.policy)
    }

    private func send(
        _ action: Action, for subject: CodeRequest.Subject, newEmail: EmailAddress? = nil
    ) async throws(ActionError) -> IssuedCode? {
        var settings = ActionCodeSettings()
        settings.url = Site.arrivalURL(after: action, at: origin)
        var request = CodeRequest(action, for: subject, with: try ApprovedSettings(settings, in: project))
        request.newEmail = newEmail
        return try await accounts.send(request)
    }
}
