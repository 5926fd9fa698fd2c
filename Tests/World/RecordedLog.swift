package import Logging
package import Synchronization

/// Keeps the text of what is logged.
package final class RecordedLog: LogHandler, Sendable {
    package let lines = Mutex<[String]>([])

    package init() {}

    package var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    package var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    package subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    package func log(event: LogEvent) { lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") } }
}
