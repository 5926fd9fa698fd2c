import Base
public import Configuration
import Foundation
import Logging
import Network

/// Writes log lines on its own queue, so that a full pipe or a slow disk does not delay requests
/// (O5).
public actor LogWriter {
    /// The size of the buffer in bytes. When it is full, further lines are dropped and counted.
    static let maxWaitingBytes = 2_097_152
    /// The size of the largest atomic write to a pipe. Source: pipe(7), PIPE_BUF.
    private static let maxAtomicWrite = 4_096

    private struct Buffer: Sendable {
        /// Complete lines with their line ends.
        var lines: [UInt8] = []
        var droppedCount = 0
    }

    private let executor = QueueExecutor(label: "onward.log")
    private let descriptor: Int32
    private let format: LogOptions.LogFormat
    private nonisolated let buffer = Locked(Buffer())
    /// Signals that the buffer is no longer empty.
    private let signals: AsyncStream<Void>
    private nonisolated let signal: AsyncStream<Void>.Continuation

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter format: the format of the line that reports dropped lines.
    public init(descriptor: Int32, format: LogOptions.LogFormat) {
        self.descriptor = descriptor
        self.format = format
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Buffers a line without waiting.
    public nonisolated func write(_ line: [UInt8]) {
        let isFirst = buffer.update { buffer in
            guard buffer.lines.count + line.count <= Self.maxWaitingBytes else {
                buffer.droppedCount += 1
                return false
            }
            buffer.lines += line
            return buffer.lines.count == line.count
        }
        if isFirst { signal.yield() }
    }

    /// Ends `run` after the buffered lines are written. No line may follow.
    public nonisolated func finish() { signal.finish() }

    /// Writes lines until `finish`.
    public func run() async {
        for await _ in signals { writeBuffer() }
        writeBuffer()
    }

    private func writeBuffer() {
        let taken = buffer.update { buffer in
            defer { buffer = Buffer() }
            return buffer
        }
        var (rest, droppedCount) = (taken.lines[...], taken.droppedCount)
        let end = UInt8(ascii: "\n")
        while let last = rest.prefix(Self.maxAtomicWrite).lastIndex(of: end) ?? rest.firstIndex(of: end) {
            let lines = rest[...last]
            if !put(lines) { droppedCount += lines.count { $0 == end } }
            rest = rest[(last + 1)...]
        }
        // If this line cannot be written either, the number is kept for the next attempt.
        if droppedCount > 0, !put(dropReport(droppedCount)[...]) { buffer.update { $0.droppedCount += droppedCount } }
    }

    private func dropReport(_ droppedCount: Int) -> [UInt8] {
        let event = LogEvent(level: .warning, message: "log lines dropped", metadata: nil, source: "", file: "", function: "", line: 0)
        return LogLine(time: Date(), event: event, metadata: ["lines": .stringConvertible(droppedCount)]).bytes(as: format)
    }

    /// Writes complete lines with one call, so that lines of two processes on one file or pipe do
    /// not mix. Returns false on failure.
    private func put(_ lines: ArraySlice<UInt8>) -> Bool {
        var rest = lines
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
