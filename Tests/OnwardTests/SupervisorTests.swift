import Foundation
import Queues
import Testing
import World

@testable import Onward

/// Z9.
@Suite struct `A supervisor` {
    let parent: Parent
    let supervisor: Supervisor

    init() throws {
        let parent = try Parent(named: "@onward-\(UUID().uuidString)")
        self.parent = parent
        supervisor = try #require(Supervisor { ["NOTIFY_SOCKET": parent.name, "WATCHDOG_USEC": "30000"][$0] })
    }

    @Test func `hears nothing while a look does not come back`() async throws {
        let (begun, over) = (Latch(), Latch())
        let supervisor = supervisor
        let watching = Task {
            var looks = 0
            await supervisor.watch {
                looks += 1
                guard looks == 3 else { return }
                begun.open()
                await over.wait()
            }
        }
        for _ in 0..<2 { #expect(try await parent.hears("") == ["WATCHDOG=1"]) }
        await begun.wait()
        supervisor.tell("STATUS=stuck")
        #expect(try await parent.hears("") == ["STATUS=stuck"])
        over.open()
        #expect(try await parent.hears("") == ["WATCHDOG=1"])
        watching.cancel()
    }

    @Test(arguments: ["", "relative", "vsock:2:1", "/" + String(repeating: "a", count: 108)])
    func `is not there where the name is none`(_ name: String) {
        #expect(Supervisor { $0 == "NOTIFY_SOCKET" ? name : nil } == nil)
    }

    @Test func `that does not listen holds nobody up`() throws {
        let gone = try #require(Supervisor { $0 == "NOTIFY_SOCKET" ? "@onward-\(UUID().uuidString)" : nil })
        #expect(!gone.tell("READY=1"))
    }
}
