public import Configuration
import Foundation
public import Logging

/// The handler of swift-log that writes one line per event (O2), with times in UTC.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let format: LogOptions.LogFormat
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    init(options: LogOptions, now: @escaping @Sendable () -> Date = { Date() }, write: @escaping @Sendable ([UInt8]) -> Void) {
        logLevel = options.level
        format = options.format
        self.now = now
        self.write = write
    }

    func log(event: LogEvent) {
        var merged = event.metadata ?? [:]
        for inherited in [metadataProvider?.get() ?? [:], metadata] where !inherited.isEmpty { merged.merge(inherited) { own, _ in own } }
        write(LogLine(time: now(), event: event, metadata: merged).bytes(as: format))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

extension Logger {
    /// Creates a logger that writes to `writer`.
    public init(_ options: LogOptions, writer: LogWriter) {
        self.init(label: "onward") { _ in LineLogHandler(options: options) { writer.write($0) } }
    }
}
