import Base
import Foundation
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Server

/// Z9: a supervisor restarts a process in which sign-ups are stuck.
@Suite struct `The watch of sign-ups` {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs checks until `condition` holds.
    private func check(_ watch: SignUpWatch, until what: String, _ condition: @escaping @Sendable () -> Bool) async throws {
        try await eventually(what) {
            await watch.check()
            return condition()
        }
    }

    @Test func `lets the watchdog go on while a pass takes its time, with one pass at once`() async throws {
        let (passes, over) = (Locked(0), Latch())
        let watch = SignUpWatch(logger: Self.silent) {
            passes.update { $0 += 1 }
            await over.wait()
        }
        try await check(watch, until: "a pass has begun") { passes.value == 1 }
        for _ in 0..<3 { await watch.check() }
        #expect(passes.value == 1)
        over.open()
        try await check(watch, until: "the next pass") { passes.value > 1 }
    }

    @Test func `stops the watchdog while a pass is late`() async throws {
        let (over, log) = (Latch(), RecordedLog())
        let watch = SignUpWatch(patience: .zero, logger: Logger(label: "test") { _ in log }) { await over.wait() }
        let checking = Task {
            await watch.check()
            return over.isOpen
        }
        try await eventually("the log says so") { log.lines.withLock { $0.contains { $0.hasPrefix("critical sign-ups stuck") } } }
        over.open()
        #expect(await checking.value)
    }

    /// A server whose password threads are all taken, and do not come back.
    @Test func `does not end its pass while the threads of password hashes are stuck`() async throws {
        let house = try await `A reload`.ReloadFixture()
        let resources = house.installation.resources
        await resources.passAsSignUp()
        let (release, isOver) = (DispatchSemaphore(value: 0), Locked(false))
        let stuck = (0..<System.cores).map { _ in Task { try await resources.passwordWorkers.run { release.wait() } } }
        try await eventually("every thread is taken") {
            let probe = Task { try await resources.passwordWorkers.run {} }
            defer { probe.cancel() }
            return resources.passwordWorkers.waitingCount > 0
        }
        let passing = Task {
            await resources.passAsSignUp()
            isOver.update { $0 = true }
        }
        try await eventually("the pass waits") { resources.passwordTurns.waitingCount > 0 || resources.passwordWorkers.waitingCount > 1 }
        #expect(!isOver.value)
        for _ in stuck { release.signal() }
        await passing.value
    }

    /// A restart would not mend a database.
    @Test func `ends its pass if the database fails`() async throws {
        let house = try await `A reload`.ReloadFixture()
        try await house.installation.resources.connection.close()
        await house.installation.resources.passAsSignUp()
    }
}
