import Base
import Configuration
import Foundation
import Network
import Testing
@testable import Server

@Suite struct `The log writer` {
    private static func line(_ number: Int) -> [UInt8] {
        Array("{\"number\":\"\(number)\",\"rest\":\"\(String(repeating: "x", count: 200))\"}\n".utf8)
    }

    /// The lines that a reader receives after `say` wrote them and the writer finished.
    private func read(after say: (LogWriter) -> Void) async throws -> [[String: String]] {
        let pipe = Pipe()
        let writer = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, format: .json)
        say(writer)
        writer.finish()
        async let written: Void = {
            await writer.run()
            try? pipe.fileHandleForWriting.close()
        }()
        // The read blocks until the writer closes the pipe, so it must not occupy a thread that all
        // tasks share.
        let bytes = try await WorkerPool(label: "test.reader", width: 1, maxWaiting: 1).run {
            try pipe.fileHandleForReading.readToEnd() ?? Data()
        }
        await written
        return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let members = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            return members.mapValues { "\($0)" }
        }
    }

    /// O2: an event is one line, and no value can forge another.
    @Test func `writes every line completely and in order`() async throws {
        let lines = try await read { writer in for number in 0..<5_000 { writer.write(Self.line(number)) } }
        #expect(lines.map { $0["number"] } == (0..<5_000).map(String.init))
    }

    /// O5: writers are not blocked; lines that do not fit are counted.
    @Test func `does not block when nobody reads, and reports the number of dropped lines`() async throws {
        let all = 3 * LogWriter.maxWaitingBytes / Self.line(0).count
        let lines = try await read { writer in for number in 0..<all { writer.write(Self.line(number)) } }
        let kept = lines.dropLast()
        #expect(kept.count < all && kept.map { $0["number"] } == kept.indices.map(String.init))
        #expect(lines.last?["message"] == "log lines dropped" && lines.last?["lines"] == "\(all - kept.count)")
    }
}
