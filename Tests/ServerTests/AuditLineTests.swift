import Accounts
import Base
import Foundation
import Testing
@testable import Server

@Suite struct `A line of the audit` {
    private static func record(_ text: String) -> AuditRecord {
        var record = AuditRecord(
            at: Timestamp(milliseconds: 1_700_000_000_250), actor: "\(Admin.key(id: "k7mq2xwd", label: text, scope: .usual))",
            method: "update")
        record.project = ProjectID(rawValue: "shop")
        record.subjects = [text, "ada"]
        return record
    }

    @Test func `has all keys in order`() {
        var record = Self.record("deploy")
        (record.peer, record.request, record.outcome) = ("127.0.0.1", "r1", .refused(code: "EMAIL_EXISTS"))
        let head =
            #"{"at":"2023-11-14T22:13:20.250Z","actor":"key:k7mq2xwd deploy","method":"update","project":"shop","subjects":["deploy","ada"],"#
        #expect(AuditLine(record).text == head + #""peer":"127.0.0.1","request":"r1","outcome":"EMAIL_EXISTS"}"#)
        (record.peer, record.request, record.outcome) = (nil, nil, nil)
        #expect(AuditLine(record).text == head + #""peer":null,"request":null,"outcome":"unknown"}"#)
        (record.project, record.subjects, record.outcome) = (nil, [], .done)
        #expect(AuditLine(record).text.contains(#""project":null,"subjects":[],"#))
        #expect(AuditLine(record).text.contains(#""outcome":"done"}"#))
    }

    /// O2: a label or an id cannot add lines or keys.
    @Test(arguments: `A log line`.naughty.dropLast()) func `is one line whatever its values contain`(text: String) throws {
        let line = AuditLine(Self.record(text)).text
        let odd = line.unicodeScalars.filter {
            [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(odd.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object.keys.sorted() == ["actor", "at", "method", "outcome", "peer", "project", "request", "subjects"])
        #expect(object["actor"] as? String == "key:k7mq2xwd \(text)")
        #expect(object["subjects"] as? [String] == [text, "ada"])
    }

    @Test(arguments: ["owner", "cli:root", "key:aaaaaaaa deploy"]) func `cannot be forged by a label`(label: String) {
        #expect("\(Admin.key(id: "k7mq2xwd", label: label, scope: .usual))" == "key:k7mq2xwd \(label)")
    }

    /// A key that was entered instead of its id must not be recorded.
    @Test(arguments: [
        ("k7mq2xwd", true), ("onward_\(String(repeating: "A", count: 43))", false), ("k7mq2xw", false), ("K7MQ2XWD", false),
        ("k7mq xwd", false),
    ])
    func `contains only texts with the form of a key id`(text: String, isID: Bool) { #expect(AdminKeyAuthenticator.isID(text) == isID) }
}
