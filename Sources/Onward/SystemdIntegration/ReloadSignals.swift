import Dispatch
import Foundation

/// SIGHUP, which requests a reload of the configuration, until `cancel`.
struct ReloadSignals {
    /// The signals; those that arrive while one is handled count as one.
    let stream: AsyncStream<Void>
    private let source: any DispatchSourceSignal

    init() {
        signal(SIGHUP, SIG_IGN)
        let (stream, signals) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "onward.signals"))
        source.setEventHandler { signals.yield() }
        source.resume()
    }

    func cancel() { source.cancel() }
}
