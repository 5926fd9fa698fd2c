import Accounts
import Dispatch
import Network
import Store
import Testing
import World

/// B1: If a project hides accounts, the work for a request does not reveal whether an account
/// exists.
@Suite struct `The work for an unknown account` {
    let counted: Counted
    let world: World

    init() async throws {
        let counted = Counted()
        world = try await World(counted: counted) { $0.hidesAccounts = true }
        self.counted = counted
        let hash = try await world.passwords.hash("right")
        try await world.account("ada@app.example") { $0.passwordHash = hash }
        try await world.account("eve@app.example", id: "eve") { $0.disabled = true }
    }

    private func signIn(_ name: String, _ accounts: Accounts) async -> ActionError? {
        do throws(ActionError) {
            let email = EmailAddress("\(name)@app.example") ?? .ada
            _ = try await accounts.signIn(email: email, password: "wrong", in: world.project.id, hidesAccounts: true)
            return nil
        } catch { return error }
    }

    @Test func `equals the work for a wrong password`() async throws {
        let accounts = try await world.signedAccounts()
        var works: [Counted.Work] = []
        for name in ["ada", "stranger"] {
            _ = counted.reset()
            guard case .refused(.invalidLoginCredentials, _)? = await signIn(name, accounts) else {
                Issue.record("\(name) is told something else")
                continue
            }
            works.append(counted.reset())
        }
        #expect(works.first == works.last)
        #expect(works.first?.reads == 1 && works.first?.transactions == 0)
    }

    /// The worker pool is full and refuses the hashing of any password, so this error shows that a
    /// password was to be hashed.
    @Test func `hashes the password, too`() async throws {
        let (workerPool, held, isHeld) = (WorkerPool(label: "held", width: 1, maxWaiting: 0), DispatchSemaphore(value: 0), Latch())
        let accounts = world.accounts(
            signedWith: nil,
            passwords: Passwords(workerPool: workerPool, cost: .cheap, secrets: world.secrets, random: world.random.bytes))
        async let holding: Void = workerPool.run {
            isHeld.open()
            _ = held.wait(timeout: .now() + .seconds(Duration.patientSeconds))
        }
        try await isHeld.opens()
        for name in ["ada", "stranger"] {
            guard case .unavailable(let down)? = await signIn(name, accounts), down.part == .passwords else {
                Issue.record("\(name) was not hashed")
                continue
            }
        }
        held.signal()
        try await holding
    }

    /// A request writes the same rows in one transaction whether the account is known, disabled or
    /// unknown. A mail that must not be sent is then deleted.
    @Test(arguments: [Action.resetPassword, .signIn]) func `equals the work for a mail that is then deleted`(action: Action) async throws {
        var works: [Counted.Work] = []
        for name in ["ada", "eve", "stranger"] {
            _ = counted.reset()
            let address = try #require(EmailAddress("\(name)@app.example"))
            let request = CodeRequest(action, for: .address(address), with: ApprovedSettings(in: world.project))
            _ = try await world.accounts.send(request)
            works.append(counted.reset())
        }
        let takenOut = works.map { $0.statements.count { $0.contains("DELETE FROM mail") } }
        #expect(takenOut == (action == .signIn ? [0, 1, 0] : [0, 1, 1]))
        #expect(try await world.mails().count == (action == .signIn ? 2 : 1))
        for index in works.indices { works[index].statements.removeAll { $0.contains("DELETE FROM mail") } }
        #expect(works == Array(repeating: works[0], count: 3))
        #expect(works[0].reads == 1 && works[0].transactions == 1)
    }
}
