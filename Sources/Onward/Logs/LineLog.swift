import Foundation
import Logging

/// Onward's log behind swift-log: one line per event (O2), in UTC.
struct LineLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let format: LogOptions.Format
    private let now: @Sendable () -> Date
    private let put: @Sendable (String) -> Void

    init(options: LogOptions, now: @escaping @Sendable () -> Date = { Date() }, put: @escaping @Sendable (String) -> Void) {
        logLevel = options.level
        format = options.format
        self.now = now
        self.put = put
    }

    func log(event: LogEvent) {
        let merged = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        put(LogLine(time: now(), event: event, metadata: merged).text(as: format))
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
