import Accounts
import Base
import Logging
import Testing
import World
@testable import Server

@Suite struct `An expired link` {
    /// C17: ended codes are purged in small batches, `codeRetention` after they would have expired.
    @Test func `is known for codeRetention, and then forgotten`() async throws {
        let world = try await World()
        let code = try await world.issue(.verifyEmail)
        guard case .live(let pending) = try await world.inspect(code) else { throw ActionError.refused(.invalidOobCode) }
        let jobs = MaintenanceJobs(
            store: world.store, keys: nil, codeRetention: { .days(2) }, auditRetention: { nil }, mailRetention: { .days(30) },
            now: world.clock.now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        world.clock.advance(by: try #require(pending.expiresAt) - world.clock.now() + .days(2))
        try await jobs.purge()
        guard case .expired = try await world.inspect(code) else { throw ActionError.refused(.invalidOobCode) }
        world.clock.advance(by: .seconds(1))
        try await jobs.purge()
        guard case .unknown = try await world.inspect(code) else { throw ActionError.refused(.invalidOobCode) }
    }
}
