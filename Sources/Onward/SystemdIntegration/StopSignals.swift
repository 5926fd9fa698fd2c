import Dispatch
import Foundation
import Queues

/// SIGTERM and SIGINT, for as long as it lives: the first opens the latch, so that running requests end; a second one, half a second
/// later or more, ends at once (Z1, Z2). Those that come with the first are the same wish: `timeout` and terminals send it to the
/// process and to its group.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Also ignores the signals that would end the process for a client that went away, or a log that is full (Z4).
    init(opening latch: Latch) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let queue = DispatchQueue(label: "onward.signals")
        let isRepeated = Latch()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard !isRepeated.isOpen else { _exit(128 + number) }
                latch.open()
                queue.asyncAfter(deadline: .now() + .milliseconds(500)) { isRepeated.open() }
            }
            source.resume()
            return source
        }
    }

    /// Lets the signals do nothing again.
    func cancel() { for source in sources { source.cancel() } }
}
