import Foundation
import Logging

/// Onward's log behind swift-log: one line per event (O2), in UTC.
struct LineLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let format: LogOptions.Format
    private let now: @Sendable () -> Date
    private let put: @Sendable ([UInt8]) -> Void

    init(options: LogOptions, now: @escaping @Sendable () -> Date = { Date() }, put: @escaping @Sendable ([UInt8]) -> Void) {
        logLevel = options.level
        format = options.format
        self.now = now
        self.put = put
    }

    func log(event: LogEvent) {
        var merged = event.metadata ?? [:]
        for inherited in [metadataProvider?.get() ?? [:], metadata] where !inherited.isEmpty { merged.merge(inherited) { own, _ in own } }
        put(LogLine(time: now(), event: event, metadata: merged).bytes(as: format))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

extension Logger {
    /// A logger that writes through `writer`.
    init(_ options: LogOptions, writer: LogWriter) {
        self.init(label: "onward") { _ in LineLog(options: options) { writer.write($0) } }
    }
}
