import Accounts
import Base
import World

/// Users who sign in by a phone number, or by an account at a provider.
extension Simulation {
    /// Sends a code to the number of a user.
    func text(_ user: AccountID) -> Call {
        let (project, number) = (world.project, possible[user]?.first?.phone?.name ?? "+4915100000")
        return Call(name: "text \(user)", account: user) { (accounts, _) throws(ActionError) in
            .text(try await Self.text(number, project, accounts))
        }
    }

    private static func text(_ number: String, _ project: Project, _ accounts: Accounts) async throws(ActionError) -> IssuedVerificationCode
    {
        guard let number = PhoneNumber(number) else { throw .refused(.invalidPhoneNumber) }
        return try await accounts.sendVerificationCode(to: number, for: .signIn, from: .someone, in: project) { _, _ in }
    }

    /// Signs in by one of the newest text messages, also one that was used before. Some type a
    /// wrong code.
    func signInByPhone() -> Call {
        var number = max(0, texts.count - 1 - generator.next(below: 3))
        if case .text(let new) = mustWork { number = new }
        let (text, isWrong) = (texts[number], generator.next(below: 12) == 0)
        let signIn = newSignIn(of: text.account)
        let wrong = text.issued.code == "000000" ? "000001" : "000000"
        var call = Call(name: "\(isWrong ? "guess" : "phone") \(number) of \(text.account)", account: text.account) {
            (accounts, _) throws(ActionError) in
            let typed = TypedVerificationCode(isWrong ? wrong : text.issued.code, sessionInfo: text.issued.sessionInfo)
            let (_, first) = try await accounts.signIn(
                with: .code(typed), creates: false, language: nil, from: .someone, in: signIn.project)
            guard let first else { throw .refused(.userNotFound) }
            return .session(try await signIn.finish(first, accounts))
        }
        call.change = { !isWrong && $0.phone?.name == text.issued.number.value ? [$0] : [] }
        if !isWrong { call.texted = number }
        return call
    }

    /// Signs in, and links a new number in place of the previous one.
    func linkPhone(_ user: AccountID) -> Call {
        let (signIn, phone) = (newSignIn(of: user), Addition(name: "+49151\(10_000 + nextNumber())", after: calls))
        // To a number without an account texts go only where sign-ups are open.
        var open = signIn.project
        open.signUps = .open
        let project = open
        var call = Call(name: "link phone of \(user)", account: user) { (accounts, store) throws(ActionError) in
            let session = try await signIn.byPassword(accounts, store)
            let user = try await accounts.user(behind: session.token, in: project.id)
            let issued = try await Self.text(phone.name, project, accounts)
            let typed = TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo)
            let (_, linked) = try await Self.afterChange { () throws(ActionError) in
                try await accounts.link(.code(typed), to: user, replacing: true, from: .someone, in: project)
            }
            guard case .signedIn(let tokens) = linked else { return .nothing }
            return .session(Session(token: tokens.idToken, proof: session.proof))
        }
        call.change = { [$0.with { $0.phone = phone }] }
        return call
    }

    /// Signs in by the provider, which links an account that has the user's address there.
    func signInByProvider(_ user: AccountID) -> Call {
        let (signIn, identity) = (newSignIn(of: user), Self.identity(of: user))
        var call = Call(name: "provider of \(user)", account: user) { (accounts, _) throws(ActionError) in
            let (_, first) = try await Self.afterChange { () throws(ActionError) in
                try await accounts.signIn(identity, creates: false, language: nil, from: .someone, in: signIn.project)
            }
            guard let first else { throw .refused(.userNotFound) }
            // The account may have got its second factor since it was linked.
            do throws(ActionError) { return .session(try await signIn.finish(first, accounts)) } catch { throw Self.isUnknown }
        }
        call.ending = .allIfUnverified
        call.change = { before in
            guard !before.isLinked else { return [before] }
            guard before.email == identity.email?.value else { return [] }
            // One factor changes nothing of an account with two.
            return [before.factors.isEmpty ? before.ownerArrived().with { $0.isLinked = true } : before]
        }
        return call
    }

    /// Signs in, and links the provider, which also proves the user's address there.
    func linkProvider(_ user: AccountID) -> Call {
        let (signIn, identity) = (newSignIn(of: user), Self.identity(of: user))
        var call = Call(name: "link provider of \(user)", account: user) { (accounts, store) throws(ActionError) in
            let session = try await signIn.byPassword(accounts, store)
            let user = try await accounts.user(behind: session.token, in: signIn.project.id)
            let (linked, _, _) = try await Self.afterChange { () throws(ActionError) in
                try await accounts.link(to: user, from: .someone, in: signIn.project) { (identity, ()) }
            }
            switch linked {
            case .linked(_, let tokens): return .session(Session(token: tokens.idToken, proof: session.proof))
            case .belongsToOther(let error): throw error
            }
        }
        call.ending = .allIfUnverified
        call.change = { before in
            guard !before.isLinked else { return [] }
            return [before.with { ($0.isLinked, $0.isVerified) = (true, $0.isVerified || $0.email == identity.email?.value) }]
        }
        return call
    }

    /// Runs a change that a session follows. If another change comes between, the answer is that
    /// the session is over, which does not say that nothing was changed.
    private static func afterChange<T>(_ change: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        do throws(ActionError) { return try await change() } catch {
            guard error.refusal == .tokenExpired else { throw error }
            throw isUnknown
        }
    }

    private static let isUnknown = ActionError.unavailable(
        Unavailable(.store, cause: "something came between a change and its session", commitState: .unknown))

    private static func identity(of user: AccountID) -> VerifiedIdentity {
        let identity = VerifiedIdentity(
            provider: "oidc.corp", rawID: user.rawValue, email: EmailAddress("\(user.rawValue)@app.example"), isEmailVerified: true,
            profile: .init(), rawUserInfo: "{}")
        guard let identity else { preconditionFailure("the identity is valid") }
        return identity
    }
}
