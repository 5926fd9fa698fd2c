import Base
import Logging
import Synchronization
import Testing
import World
@testable import Server

@Suite struct `A warning about requests of strangers` {
    @Test func `is counted each time and logged once a minute`() throws {
        let (warnings, registry, start) = (RecordedLog(), MetricsRegistry(), Uptime.now)
        let seconds = Mutex(0)
        let warning = CountedWarning(
            "ignored", counting: .untrustedForwarding, in: registry, now: { start + .seconds(seconds.withLock { $0 }) },
            logger: Logger(label: "test") { _ in warnings })
        for second in [0, 1, 59, 60, 61, 119, 120] {
            seconds.withLock { $0 = second }
            warning.notice(["peer": "192.0.2.\(second)"])
        }
        let lines = warnings.lines.withLock { $0 }
        #expect(lines.count == 3 && lines[0].contains("192.0.2.0") && lines[0].hasPrefix("warning"))
        #expect(Exposition(registry: registry, gauges: []).text.contains("onward_untrusted_forwarding_total 7"))
    }
}
