import Foundation
import Logging

/// One event as one line, in which nothing that a stranger sent can look like another line or another field (O2).
struct LogLine {
    let time: Date
    let event: LogEvent
    /// Of the logger and of the event, merged.
    let metadata: Logger.Metadata

    /// Longer values are cut: a log is read by people.
    static let maxScalars = 2_000

    func text(as format: LogOptions.Format) -> String {
        let moment = time.ISO8601Format(.init(includingFractionalSeconds: true))
        let fields = (metadata.map { (Self.key($0.key), $0.value) } + cause).sorted { $0.0 < $1.0 }
        switch format {
        case .json:
            let own = [("time", moment), ("level", event.level.rawValue), ("message", event.message.description)]
            let members = own.map { "\(Self.quoted($0)):\(Self.quoted($1))" } + fields.map { "\(Self.quoted($0)):\(Self.json($1))" }
            return "{\(members.joined(separator: ","))}\n"
        case .text:
            let words = [moment, event.level.rawValue.uppercased(), Self.escaped(event.message.description)]
            return (words + fields.map { "\(Self.escaped($0))=\(Self.bare($1))" }).joined(separator: " ") + "\n"
        }
    }

    private var cause: [(String, Logger.MetadataValue)] { event.error.map { [("error", .string("\($0)"))] } ?? [] }

    /// A field may not pass for one of ours.
    private static func key(_ key: String) -> String { ["time", "level", "message", "error"].contains(key) ? key + "_" : key }

    private static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .stringConvertible(let value): quoted(value.description)
        case .array(let items): "[\(items.map(json).joined(separator: ","))]"
        case .dictionary(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(json($0.value))" }.joined(separator: ","))}"
        }
    }

    /// Without quotes where it is one plain word.
    private static func bare(_ value: Logger.MetadataValue) -> String {
        let json = json(value)
        let inner = json.dropFirst().dropLast()
        let isWord =
            json.hasPrefix("\"") && !inner.isEmpty && inner.utf8.allSatisfy { (0x21...0x7e).contains($0) && !#""\="#.utf8.contains($0) }
        return isWord ? String(inner) : json
    }

    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// As JSON escapes a string, and with it all that moves a cursor, ends a line, turns the direction of writing or cannot be seen.
    private static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let kept = scalars.prefix(maxScalars)
        return kept.reduce(into: "") { line, scalar in
            switch scalar {
            case "\"": line += #"\""#
            case "\\": line += #"\\"#
            case _ where isInvisible(scalar): for unit in String(scalar).utf16 { line += #"\u"# + hexadecimal(unit) }
            default: line.unicodeScalars.append(scalar)
            }
        } + (kept.endIndex == scalars.endIndex ? "" : "…")
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
