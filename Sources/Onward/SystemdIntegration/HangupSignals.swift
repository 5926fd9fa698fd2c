import Dispatch
import Foundation

/// SIGHUP, by which an operator asks to have files read again, until `cancel`.
struct HangupSignals {
    /// One element for all that came since the last.
    let stream: AsyncStream<Void>
    private let source: any DispatchSourceSignal

    init() {
        signal(SIGHUP, SIG_IGN)
        let (stream, hangups) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "onward.hangups"))
        source.setEventHandler { hangups.yield() }
        source.resume()
    }

    func cancel() { source.cancel() }
}
