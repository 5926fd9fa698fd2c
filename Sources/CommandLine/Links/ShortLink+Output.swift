import Accounts
import Base
import Foundation

extension ShortLink {
    /// The link as a line for people.
    var line: String { "\(url)\(disabledAt == nil ? "" : "  (disabled)")\(name.map { "  \"\($0)\"" } ?? "")\n    \(link)" }

    /// The link with everything that is stored of it, for people.
    var details: String {
        let rows: [(String, String?)] = [
            ("project", project.rawValue), ("leads to", link), ("name", name),
            ("created", createdAt.iso8601 + (clientNumber == nil ? " by an admin" : " by a client")), ("disabled", disabledAt?.iso8601),
        ]
        return
            ([url]
            + rows.compactMap { label, value in value.map { "    " + label.padding(toLength: 10, withPad: " ", startingAt: 0) + $0 } })
            .joined(separator: "\n")
    }

    var json: JSON {
        .object([
            "shortLink": .string(url), "project": .string(project.rawValue), "longDynamicLink": .string(link), "name": .string(ifAny: name),
            "createdAt": .string(createdAt.iso8601), "byClient": .bool(clientNumber != nil),
            "disabledAt": .string(ifAny: disabledAt?.iso8601),
        ])
    }
}
