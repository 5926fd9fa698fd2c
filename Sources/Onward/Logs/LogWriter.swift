import Foundation
import Logging
import Queues

/// Writes log lines from a queue of its own, so that a full pipe or a slow disk never holds up a request (O5).
actor LogWriter {
    /// How much may wait; what comes when it is full is lost, because a log may not take the server down.
    static let maxWaitingBytes = 2_097_152
    /// What a pipe takes whole from each of its writers. Source: pipe(7), PIPE_BUF.
    private static let maxTogether = 4_096

    private struct Waiting: Sendable {
        /// Whole lines, each with its end.
        var lines: [UInt8] = []
        var lost = 0
    }

    private let executor = QueueExecutor(label: "onward.log")
    private let descriptor: Int32
    private let format: LogOptions.Format
    private nonisolated let waiting = Locked(Waiting())
    /// Says that something waits, where nothing did.
    private let calls: AsyncStream<Void>
    private nonisolated let entrance: AsyncStream<Void>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter format: of what it has to say itself: how many lines were lost.
    init(descriptor: Int32, format: LogOptions.Format) {
        self.descriptor = descriptor
        self.format = format
        (calls, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes a line and returns at once.
    nonisolated func write(_ line: [UInt8]) {
        let isFirst = waiting.update { waiting in
            guard waiting.lines.count + line.count <= Self.maxWaitingBytes else {
                waiting.lost += 1
                return false
            }
            waiting.lines += line
            return waiting.lines.count == line.count
        }
        if isFirst { entrance.yield() }
    }

    /// No more lines will come: `run` returns when those that are waiting are written.
    nonisolated func finish() { entrance.finish() }

    func run() async {
        for await _ in calls { writeWhatWaits() }
        writeWhatWaits()
    }

    private func writeWhatWaits() {
        let taken = waiting.update { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        var (rest, lost) = (taken.lines[...], taken.lost)
        let end = UInt8(ascii: "\n")
        while let last = rest.prefix(Self.maxTogether).lastIndex(of: end) ?? rest.firstIndex(of: end) {
            let lines = rest[...last]
            if !put(lines) { lost += lines.count { $0 == end } }
            rest = rest[(last + 1)...]
        }
        // Said as soon as there is anybody to say it to.
        if lost > 0, !put(confession(of: lost)[...]) { waiting.update { $0.lost += lost } }
    }

    private func confession(of lost: Int) -> [UInt8] {
        let event = LogEvent(level: .warning, message: "log lines were lost", metadata: nil, source: "", file: "", function: "", line: 0)
        return LogLine(time: Date(), event: event, metadata: ["lines": "\(lost)"]).bytes(as: format)
    }

    /// One call for whole lines, so that two processes on one file or pipe do not cut into each other's. False where they were not
    /// taken.
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
