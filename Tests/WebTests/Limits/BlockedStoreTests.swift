import Accounts
import Dispatch
import HTTPTypes
import Store
import Synchronization
import Testing
import Views
import World
@testable import Web

@Suite struct `A store that hangs` {
    /// X9: 64 requests wait for it, and everything else works.
    @Test func `delays neither health checks, nor files, nor refusals`() async throws {
        let world = try await World()
        let visitor = try await Visitor(world, limits: world.limits(of: 64))
        let (hangs, holding, started) = (DispatchSemaphore(value: 0), Count(), Count())
        async let hanging: Void = world.store.transaction { (records) throws(ActionError) in
            holding.add()
            // With a deadline: if the test throws, it waits for this transaction.
            _ = hangs.wait(timeout: .now() + .seconds(Duration.patientSeconds))
        }
        try await eventually("the held transaction") { holding.now == 1 }
        async let answers = withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    started.add()
                    return await Self.signUp(visitor)
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        try await eventually("64 requests") { started.now == 64 }

        #expect(await visitor.ask(.get, "/healthz").status == 200)
        let style = try #require(visitor.site.operations.brands.standard.assets.first)
        #expect(await visitor.ask(.get, style.path).status == 200)
        #expect(await Self.signUp(visitor, "{\"localId\":\"mine\"}") == 400)
        hangs.signal()
        try await hanging
        #expect(await answers == [200])
    }

    private static func signUp(_ visitor: Visitor, _ body: String = "{}") async -> Int {
        await visitor.ask(.post, "/v1/accounts:signUp?key=shop-key", body: body, headers: [.contentType: "application/json"]).status
    }
}

private final class Count: Sendable {
    private let count = Mutex(0)
    var now: Int { count.withLock(\.self) }
    func add() { count.withLock { $0 += 1 } }
}
