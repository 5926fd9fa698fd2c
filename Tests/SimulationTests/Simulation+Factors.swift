import Accounts
import Base
import Store
import Synchronization
import World

/// The authenticator apps of the users, with their recovery codes.
final class SimulatedPhones: Sendable {
    struct App: Sendable {
        let key: [UInt8]
        let recoveryCodes: [RecoveryCode]
    }

    private let apps = Mutex<[String: App]>([:])

    func add(_ app: App, named name: String) { apps.withLock { $0[name] = app } }
    func app(named name: String?) -> App? { name.flatMap { name in apps.withLock { $0[name] } } }
}

/// Users who sign in, with one factor or two.
extension Simulation {
    /// A sign-in of a user.
    struct SignIn: Sendable {
        let user: AccountID
        let project: Project
        let phones: SimulatedPhones
        let clock: TestClock
        /// The recovery code to use in place of the app; nil for none.
        var recoveryCode: Int?

        /// Signs in by the password, and with an app or recovery code if that is asked for.
        func byPassword(_ accounts: Accounts, _ store: TurnedStorage) async throws(ActionError) -> Session {
            guard let account = try await store.read({ (records) throws(ActionError) in try records.account(user, in: project.id) })
            else { throw .refused(.userNotFound) }
            return try await finish(try await accounts.signIn(account, by: .password, from: .someone, in: project), accounts)
        }

        /// Goes on after the first factor.
        func finish(_ first: FirstFactorResult, _ accounts: Accounts) async throws(ActionError) -> Session {
            switch first {
            case .signedIn(let tokens): return Session(token: tokens.idToken, proof: nil)
            case .needsSecondFactor(let credential, let factors):
                guard let factor = factors.last, let app = phones.app(named: factor.displayName) else {
                    throw .refused(.mfaEnrollmentNotFound)
                }
                let (code, proof) = code(of: app)
                let tokens = try await accounts.finishSignIn(credential, with: .app(code, factor: factor.id), in: project)
                return Session(token: tokens.idToken, proof: "\(factor.id) \(proof)")
            }
        }

        /// A code, and what it must prove no more than once.
        private func code(of app: SimulatedPhones.App) -> (code: String, proof: String) {
            if let recoveryCode { return (app.recoveryCodes[recoveryCode].text, app.recoveryCodes[recoveryCode].text) }
            let moment = clock.now()
            return (TOTP(key: app.key).password(at: moment), "step \(moment.seconds / 30)")
        }
    }

    /// The ID token of a session, and what proved the second factor; nil after one factor.
    struct Session: Sendable {
        let token: String
        let proof: String?
    }

    /// A sign-in of a user, sometimes with a recovery code.
    func newSignIn(of user: AccountID) -> SignIn {
        SignIn(
            user: user, project: world.project, phones: phones, clock: world.clock,
            recoveryCode: generator.next(below: 2) == 0 ? generator.next(below: 2) : nil)
    }

    func signIn(_ user: AccountID) -> Call {
        let signIn = newSignIn(of: user)
        return Call(name: "sign in \(user)", account: user) { (accounts, store) throws(ActionError) in
            .session(try await signIn.byPassword(accounts, store))
        }
    }

    func enroll(_ user: AccountID) -> Call {
        let signIn = SignIn(user: user, project: world.project, phones: phones, clock: world.clock)
        let (factor, world) = (Addition(name: "App \(nextNumber())", after: calls), world)
        var call = Call(name: "enrol \(user)", account: user) { (accounts, store) throws(ActionError) in
            let session = try await signIn.byPassword(accounts, store)
            let user = try await accounts.user(behind: session.token, in: signIn.project.id)
            let started = try accounts.startEnrollment(for: user)
            let codes = (0..<2).map { _ in RecoveryCode(random: world.random.bytes) }
            guard let key = try? AuthenticatorApp.key(ofBase32: started.sharedSecretKey) else { throw .refused(.invalidCode) }
            signIn.phones.add(SimulatedPhones.App(key: key, recoveryCodes: codes), named: factor.name)
            let (enrolled, step) = try accounts.enrolled(
                started.sessionInfo, by: TOTP(key: key).password(at: signIn.clock.now()), named: factor.name, for: user.account)
            try await accounts.enroll(
                enrolled, by: .app(step: step), recoveryCodes: codes.map { $0.digest(of: user.account, by: world.secrets) },
                for: user.account, from: .someone, in: signIn.project)
            return .enrolled(proofs: [session.proof, "\(enrolled.id) step \(step)"].compactMap(\.self))
        }
        call.ending = .all
        call.change = { $0.isVerified ? [$0.with { $0.factors.insert(factor) }] : [] }
        call.enrolls = factor.name
        return call
    }
}
