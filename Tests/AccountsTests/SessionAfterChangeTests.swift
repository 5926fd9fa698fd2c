import Base
import Synchronization
import Testing
import World

@testable import Accounts

/// A store that is full after some transactions.
private final class FillingStore: ForwardingStorage {
    let store: any Storage
    private let transactionsLeft: Mutex<Int>

    init(_ store: any Storage, transactions: Int) {
        self.store = store
        transactionsLeft = Mutex(transactions)
    }

    func transaction<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        let isFull = transactionsLeft.withLock { left in
            left -= 1
            return left < 0
        }
        guard !isFull else { throw .unavailable(Unavailable(.store, cause: "full")) }
        return try await store.transaction(body)
    }
}

/// No answer says that nothing was changed if something was.
@Suite struct `The session after a change` {
    private let world: World

    init() async throws { world = try await World() }

    private func accounts(transactions: Int) -> Accounts {
        world.accounts(signedWith: nil, store: FillingStore(world.store, transactions: transactions))
    }

    /// Otherwise a link could be spent that let its user not in.
    @Test func `the transaction that spends a sign-in link opens the session`() async throws {
        let pending = try await world.inspect(try await world.issue(.signIn)).pending()
        let (_, result) = try await accounts(transactions: 1).signIn(by: pending, as: .ada, for: nil, from: .someone)
        guard case .signedIn = result else { return #expect(Bool(false), "\(result)") }
    }

    @Test func `the transaction that spends the code of a text message opens the session`() async throws {
        let number = try #require(PhoneNumber("+15555550199"))
        let issued = try await world.accounts.issueVerificationCode(to: number, for: .signIn, from: nil, in: world.project.id)
        let proof = PhoneProof.code(TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo))
        // The first one finds that there is no account, and changes nothing.
        let (_, result) = try await accounts(transactions: 2)
            .signIn(with: proof, creates: true, language: nil, from: .someone, in: world.project)
        guard case .signedIn? = result else { return #expect(Bool(false), "\(String(describing: result))") }
    }

    @Test func `a new password without a session is not called unchanged`() async throws {
        let account = try await world.account("ada@app.example") { $0.emailVerified = true }
        let token = try await world.accounts.openSession(for: account, by: .password).idToken
        let user = try await world.accounts.user(behind: token, in: world.project.id)
        var change = AccountChange()
        change.password = "a new long phrase"
        await #expect { try await accounts(transactions: 1).update(user, with: change, from: .someone, in: world.project) } throws: {
            ($0 as? ActionError)?.isWithoutEffect == false
        }
        #expect(try await world.stored(account.id)?.passwordHash != nil)
        // What fails before the change has changed nothing.
        await #expect { try await accounts(transactions: 0).update(user, with: change, from: .someone, in: world.project) } throws: {
            ($0 as? ActionError)?.isWithoutEffect == true
        }
    }

    @Test func `a sign-up without a session is not called unchanged`() async throws {
        var new = NewAccount(project: world.project.id)
        (new.email, new.password) = (.ada, "a new long phrase")
        await #expect { try await accounts(transactions: 1).signUp(new, from: .someone, in: world.project) } throws: {
            ($0 as? ActionError)?.isWithoutEffect == false
        }
    }
}
