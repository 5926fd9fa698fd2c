import Base
import Configuration
import Foundation
import Logging

/// An event as one line. Its values are escaped, so that they cannot add lines or fields (O2).
struct LogLine {
    let time: Date
    let event: LogEvent
    /// The metadata of the logger and of the event.
    let metadata: Logger.Metadata

    /// The number of Unicode scalars above which a value is truncated.
    static let maxScalars = 2_000

    /// The line with its line end.
    func bytes(as format: LogOptions.LogFormat) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        let fields = (metadata.map { (Self.key($0.key), $0.value) } + cause).sorted { $0.0 < $1.0 }
        switch format {
        case .json:
            line.append(contentsOf: "{\"time\":\"".utf8)
            line.append(contentsOf: Timestamp(time).iso8601.utf8)
            line.append(contentsOf: "\",\"level\":\"\(event.level.rawValue)\",\"message\":".utf8)
            line.append(quoted: event.message.description)
            for (name, value) in fields {
                line.append(UInt8(ascii: ","))
                line.append(quoted: name)
                line.append(UInt8(ascii: ":"))
                line.append(json: value)
            }
            line.append(UInt8(ascii: "}"))
        case .text:
            line.append(contentsOf: Timestamp(time).iso8601.utf8)
            line.append(contentsOf: " \(event.level.rawValue.uppercased()) ".utf8)
            line.append(escaped: event.message.description)
            for (name, value) in fields { line.append(field: name, value) }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private var cause: [(String, Logger.MetadataValue)] { event.error.map { [("error", .string("\($0)"))] } ?? [] }

    /// The name of a field, changed if it is one of the names of the line itself.
    private static func key(_ key: String) -> String { ["time", "level", "message", "error"].contains(key) ? key + "_" : key }

    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(quoted: text)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func append(json value: Logger.MetadataValue) {
        switch value {
        case .string(let text): append(quoted: text)
        case .stringConvertible(let value) where value is Int || value is Int64: append(contentsOf: value.description.utf8)
        case .stringConvertible(let value): append(quoted: value.description)
        case .array(let items): append("[", items, "]") { $0.append(json: $1) }
        case .dictionary(let members):
            append("{", members.sorted { $0.key < $1.key }, "}") { line, member in
                line.append(quoted: member.key)
                line.append(UInt8(ascii: ":"))
                line.append(json: member.value)
            }
        }
    }

    private mutating func append<Item>(_ start: String, _ items: [Item], _ end: String, _ write: (inout [UInt8], Item) -> Void) {
        append(contentsOf: start.utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(&self, item)
        }
        append(contentsOf: end.utf8)
    }

    /// Appends ` name=value`; for a dictionary ` name.member=value` for each of its members.
    fileprivate mutating func append(field name: String, _ value: Logger.MetadataValue) {
        if case .dictionary(let members) = value {
            for (member, value) in members.sorted(by: { $0.key < $1.key }) { append(field: "\(name).\(member)", value) }
            return
        }
        append(UInt8(ascii: " "))
        append(escaped: name)
        append(UInt8(ascii: "="))
        append(bare: value)
    }

    /// Appends a value, without quotes if it is a single plain word.
    private mutating func append(bare value: Logger.MetadataValue) {
        var json: [UInt8] = []
        json.append(json: value)
        let inner = json.dropFirst().dropLast()
        let isWord =
            json.first == UInt8(ascii: "\"") && !inner.isEmpty
            && inner.allSatisfy { (0x21...0x7e).contains($0) && !#""\="#.utf8.contains($0) }
        append(contentsOf: isWord ? inner : json[...])
    }

    fileprivate mutating func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        append(escaped: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends a string escaped as in JSON. Characters that end a line, control a terminal, change
    /// the direction of text or are invisible are escaped too.
    fileprivate mutating func append(escaped text: String) {
        let isPlain =
            text.utf8.count <= LogLine.maxScalars
            && text.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { return append(contentsOf: text.utf8) }
        let scalars = text.unicodeScalars
        let kept = scalars.prefix(LogLine.maxScalars)
        for scalar in kept {
            switch scalar {
            case "\"": append(contentsOf: #"\""#.utf8)
            case "\\": append(contentsOf: #"\\"#.utf8)
            case _ where scalar.isInvisible: for unit in String(scalar).utf16 { append(contentsOf: (#"\u"# + hexadecimal(unit)).utf8) }
            default: append(contentsOf: String(scalar).utf8)
            }
        }
        if kept.endIndex != scalars.endIndex { append(contentsOf: "…".utf8) }
    }

    private func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
