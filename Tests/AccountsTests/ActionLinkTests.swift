import Accounts
import AppLinks
import Base
import Foundation
import Testing
import World

@Suite struct `An action link` {
    private static let code = OobCode { [UInt8](repeating: 9, count: $0) }
    private static let fields = [
        ("mode", "verifyEmail"), ("oobCode", code.text), ("apiKey", "k"), ("continueUrl", "https://app.example/?a=b&mode=x"),
        ("lang", "ar"),
    ]

    private static func link(_ fields: [(String, String)]) throws(ActionLink.Damage) -> ActionLink {
        try ActionLink(MailedQuery(ofActionLink: fields.map { (name: $0.0, value: $0.1) }))
    }

    /// L7: The order of the parameters does not matter, and unknown parameters are ignored.
    @Test func `is read in any order`() throws {
        let expected = try Self.link(Self.fields)
        for shift in Self.fields.indices {
            let turned = Array(Self.fields[shift...]) + [("utm_source", "mail")] + Self.fields[..<shift]
            #expect(try Self.link(turned) == expected)
        }
    }

    /// L7: Neither the first nor the last value of a repeated parameter is used, except of the
    /// language, which Firebase's links may contain twice (Y9).
    @Test(arguments: fields.indices.filter { fields[$0].0 != "lang" })
    func `is refused with two values of a parameter`(_ index: Int) {
        let doubled = Self.fields + [(Self.fields[index].0, Self.fields[index].1 + "x")]
        #expect(throws: ActionLink.Damage.repeated(Self.fields[index].0)) {
            try Self.link(doubled)
        }
    }

    @Test(arguments: ["mode", "oobCode", "apiKey"])
    func `is refused without`(_ name: String) {
        #expect(throws: ActionLink.Damage.missing(name)) {
            try Self.link(Self.fields.filter { $0.0 != name })
        }
    }

    @Test func `is refused with another mode`() {
        let fields = [("mode", "other")] + Self.fields.dropFirst()
        #expect(throws: ActionLink.Damage.unknownMode) { try Self.link(Array(fields)) }
    }

    /// Apple's SDK splits the percent-decoded query and uses the last value of each name, so the
    /// link's own parameters must follow the continue URL.
    @Test func `cannot be overridden by what the continue URL holds`() throws {
        let link = try Self.link(Self.fields)
        let url = link.url(on: try WebURL("https://auth.example/__/auth/action")).serialized
        let decoded = try #require(url.removingPercentEncoding)
        var read: [String: String] = [:]
        for pair in decoded.split(separator: "?", maxSplits: 1)[1].split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            read[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
        }
        #expect(read["mode"] == "verifyEmail")
        #expect(read["oobCode"] == Self.code.text)
    }

    /// In an app link, Apple's SDK takes the first parameter for a part of the payload's address.
    @Test func `has its language first, so that an app link around it loses nothing else`() throws {
        let link = try Self.link(Self.fields)
        #expect(link.query.map(\.name) == ["lang", "continueUrl", "apiKey", "mode", "oobCode"])
    }
}
