import Base
import Foundation
import Network
import Testing
import World
@testable import Server

/// Z9: no input traps the process, and a supervisor restarts it. D5: on a full disk pages open,
/// writes are answered 503, and the server recovers by itself.
@Suite struct `The unit for systemd` {
    @Test func `restarts the server within a second, however often a start fails`() throws {
        let unit = try String(contentsOf: URL(filePath: Repository.root + "Config/systemd/onward.service"), encoding: .utf8)
        func number(_ pattern: Regex<(Substring, Substring)>) throws -> Int {
            try #require(unit.firstMatch(of: pattern).flatMap { Int($0.1) })
        }
        let pause = try number(#/(?m)^RestartSec=(\d+)ms$/#)
        #expect(pause < 1_000)
        #expect(try number(#/(?m)^StartLimitIntervalSec=(\d+)$/#) * 1_000 / pause < number(#/(?m)^StartLimitBurst=(\d+)$/#))
    }
}

/// Z9: no input traps the process, and a supervisor restarts it.
@Suite struct `A systemd notifier` {
    let socket: NotifySocket
    let notifier: SystemdNotifier

    init() throws {
        let socket = try NotifySocket(named: "@onward-\(UUID().uuidString)")
        self.socket = socket
        notifier = try #require(SystemdNotifier { ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "30000"][$0] })
    }

    @Test func `sends no watchdog message while a check does not return`() async throws {
        let (begun, over) = (Latch(), Latch())
        let notifier = notifier
        let watching = Task {
            let looks = Locked(0)
            await notifier.watchdog {
                looks.update { $0 += 1 }
                guard looks.value == 3 else { return }
                begun.open()
                await over.wait()
            }
        }
        for _ in 0..<2 { #expect(try await socket.message() == ["WATCHDOG=1"]) }
        await begun.wait()
        notifier.notify("STATUS=stuck")
        #expect(try await socket.message() == ["STATUS=stuck"])
        over.open()
        #expect(try await socket.message() == ["WATCHDOG=1"])
        watching.cancel()
    }

    @Test(arguments: ["", "relative", "vsock:2:1", "/" + String(repeating: "a", count: 108)])
    func `is nil for an invalid socket name`(_ name: String) {
        #expect(SystemdNotifier { $0 == "NOTIFY_SOCKET" ? name : nil } == nil)
    }

    @Test func `does not block if nobody listens`() throws {
        let gone = try #require(SystemdNotifier { $0 == "NOTIFY_SOCKET" ? "@onward-\(UUID().uuidString)" : nil })
        #expect(!gone.notify("READY=1"))
    }
}
