import Dispatch
import Foundation
public import Network

/// SIGTERM and SIGINT, until `cancel`. The first signal opens the latch, so that running requests
/// finish; a second one at least half a second later ends the process (Z1, Z2). Earlier ones count
/// as the first, because `timeout` and terminals signal both the process and its group.
public struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Also ignores SIGPIPE and SIGXFSZ, which would end the process when a client disconnects or a
    /// log file is full (Z4).
    public init(opening latch: Latch) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let queue = DispatchQueue(label: "onward.signals")
        let acceptsSecond = Latch()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard !acceptsSecond.isOpen else { _exit(128 + number) }
                latch.open()
                queue.asyncAfter(deadline: .now() + .milliseconds(500)) { acceptsSecond.open() }
            }
            source.resume()
            return source
        }
    }

    /// Stops to handle the signals, which stay ignored.
    public func cancel() { for source in sources { source.cancel() } }
}
