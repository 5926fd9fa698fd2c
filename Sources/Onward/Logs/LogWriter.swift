import Foundation
import Queues

/// Writes log lines from a queue of its own, so that a full pipe or a slow disk never holds up a request.
actor LogWriter {
    /// How many lines may wait; what comes when it is full is lost, because a log may not take the server down.
    private static let maxWaiting = 8_192

    private let executor = QueueExecutor(label: "onward.log")
    private let descriptor: Int32
    private let lines: AsyncStream<String>
    private nonisolated let entrance: AsyncStream<String>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(descriptor: Int32) {
        self.descriptor = descriptor
        (lines, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxWaiting))
    }

    /// Takes a line and returns at once.
    nonisolated func write(_ line: String) { entrance.yield(line) }

    /// No more lines will come: `run` returns when those that are waiting are written.
    nonisolated func finish() { entrance.finish() }

    func run() async {
        for await line in lines { put(Array(line.utf8)) }
    }

    /// One call for one line, so that two processes on one file do not cut into each other's.
    private func put(_ line: [UInt8]) {
        var rest = line[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
