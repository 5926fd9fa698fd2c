import Foundation
import Logging
import Testing
@testable import Configuration
@testable import Server

@Suite struct `A log line` {
    static let naughty = [
        "two\nlines", "carriage\rreturn", "tab\tand\0null", "\u{1b}[31mred", "line\u{2028}separator", "paragraph\u{2029}separator",
        "next\u{85}line", "right\u{202e}to left", "zero\u{200b}width", "quote\" back\\slash", "{\"level\":\"error\"}",
        "key=value other=value",
        String(decoding: [0x61, 0xff, 0xfe, 0x0a, 0xc3], as: UTF8.self), "\u{e0001}tag", "🙂 stays", String(repeating: "x", count: 100_000),
    ]

    private func line(_ text: String, as format: LogOptions.LogFormat) -> String {
        let event = LogEvent(
            level: .info, message: "\(text)", metadata: ["value": "\(text)", "\(text)": "key", "list": ["\(text)"]], source: "", file: "",
            function: "", line: 0)
        return LogLine(time: Date(timeIntervalSince1970: 1_700_000_000.25), event: event, metadata: event.metadata ?? [:]).text(as: format)
    }

    /// O2: an event is one line without terminal controls or direction changes.
    @Test(arguments: naughty, LogOptions.LogFormat.allCases) func `is one line`(text: String, format: LogOptions.LogFormat) {
        let line = line(text, as: format)
        #expect(line.unicodeScalars.count { $0 == "\n" } == 1 && line.hasSuffix("\n"))
        let odd = line.unicodeScalars.dropLast().filter {
            [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(odd.isEmpty)
        #expect(line.utf8.count < 40_000)
    }

    /// O2: values are preserved.
    @Test(arguments: naughty.dropLast()) func `can be parsed back to its values`(text: String) throws {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line(text, as: .json).utf8)) as? [String: Any])
        #expect(object["message"] as? String == text)
        #expect(object["value"] as? String == text)
        #expect(object["list"] as? [String] == [text])
    }

    /// O3: every action is logged with its time.
    @Test func `has the time in UTC`() {
        #expect(line("x", as: .json).hasPrefix(#"{"time":"2023-11-14T22:13:20.250Z","level":"info","message":"x","#))
        #expect(line("x", as: .text).hasPrefix("2023-11-14T22:13:20.250Z INFO x "))
    }

    @Test func `writes numbers as numbers`() {
        let event = LogEvent(
            level: .info, message: "x", metadata: ["status": .stringConvertible(200), "ms": .stringConvertible(Int64(3))], source: "",
            file: "", function: "", line: 0)
        let line = LogLine(time: .now, event: event, metadata: event.metadata ?? [:])
        #expect(line.text(as: .json).hasSuffix(#""ms":3,"status":200}"# + "\n"))
        #expect(line.text(as: .text).hasSuffix("ms=3 status=200\n"))
    }

    @Test func `writes members of a dictionary, in text after its name`() {
        let metadata: Logger.Metadata = ["client": ["path": "/x", "host": "a b"], "ms": .stringConvertible(3)]
        let event = LogEvent(level: .info, message: "x", metadata: metadata, source: "", file: "", function: "", line: 0)
        let line = LogLine(time: .now, event: event, metadata: metadata)
        #expect(line.text(as: .json).hasSuffix(#""client":{"host":"a b","path":"/x"},"ms":3}"# + "\n"))
        #expect(line.text(as: .text).hasSuffix(#" client.host="a b" client.path=/x ms=3"# + "\n"))
    }

    @Test func `renames a field with a reserved name`() throws {
        let event = LogEvent(
            level: .info, message: "real", metadata: ["message": "forged", "level": "forged", "time": "forged"], source: "", file: "",
            function: "", line: 0)
        let line = LogLine(time: .now, event: event, metadata: event.metadata ?? [:]).text(as: .json)
        #expect(line.contains(#""message":"real""#) && line.contains(#""message_":"forged""#) && !line.contains(#""message":"forged""#))
    }
}

extension LogLine {
    fileprivate func text(as format: LogOptions.LogFormat) -> String { String(decoding: bytes(as: format), as: UTF8.self) }
}
