import Dispatch
import Foundation

/// SIGHUP, which requests a reload of the configuration, until `cancel`.
public struct ReloadSignals {
    /// The signals; those that arrive while one is handled count as one.
    public let stream: AsyncStream<Void>
    private let source: any DispatchSourceSignal

    public init() {
        signal(SIGHUP, SIG_IGN)
        let (stream, signals) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "onward.signals"))
        source.setEventHandler { signals.yield() }
        source.resume()
    }

    public func cancel() { source.cancel() }
}
