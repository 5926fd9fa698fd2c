import Dispatch
import Foundation
import Queues

/// SIGTERM and SIGINT, for as long as it lives: the first opens the latch, so that running requests end; the second ends at once (Z1, Z2).
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Also ignores the signals that would end the process for a client that went away, or a log that is full (Z4).
    init(opening latch: Latch) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let queue = DispatchQueue(label: "onward.signals")
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard !latch.isOpen else { _exit(128 + number) }
                latch.open()
            }
            source.resume()
            return source
        }
    }

    /// Lets the signals do nothing again.
    func cancel() { for source in sources { source.cancel() } }
}
