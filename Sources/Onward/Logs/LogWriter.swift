import Foundation
import Queues

/// Writes log lines from a queue of its own, so that a full pipe or a slow disk never holds up a request.
actor LogWriter {
    /// How much may wait; what comes when it is full is lost, because a log may not take the server down (O5).
    private static let maxWaitingBytes = 2_097_152
    /// What a pipe takes whole from each of its writers. Source: pipe(7), PIPE_BUF.
    private static let maxTogether = 4_096

    private let executor = QueueExecutor(label: "onward.log")
    private let descriptor: Int32
    /// Whole lines, each with its end.
    private nonisolated let waiting = Current<[UInt8]>([])
    /// Says that something waits, where nothing did.
    private let calls: AsyncStream<Void>
    private nonisolated let entrance: AsyncStream<Void>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(descriptor: Int32) {
        self.descriptor = descriptor
        (calls, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes a line and returns at once.
    nonisolated func write(_ line: [UInt8]) {
        let isFirst = waiting.update { waiting in
            guard waiting.count + line.count <= Self.maxWaitingBytes else { return false }
            waiting += line
            return waiting.count == line.count
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
        var rest = waiting.update { waiting in
            defer { waiting = [] }
            return waiting
        }[...]
        while !rest.isEmpty {
            let end = UInt8(ascii: "\n")
            let together = rest.prefix(Self.maxTogether).lastIndex(of: end) ?? rest.firstIndex(of: end) ?? rest.endIndex - 1
            put(rest[...together])
            rest = rest[(together + 1)...]
        }
    }

    /// One call for whole lines, so that two processes on one file or pipe do not cut into each other's.
    private func put(_ lines: ArraySlice<UInt8>) {
        var rest = lines
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
