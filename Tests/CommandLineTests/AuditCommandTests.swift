import Accounts
import ArgumentParser
import Base
import Testing
@testable import CommandLine

@Suite struct `An audit record on the command line` {
    @Test func `a followed audit record is printed when its outcome is known, or after a minute`() {
        var record = AuditRecord(at: Timestamp(seconds: 1_700_000_000), actor: "deploy", method: "update")
        #expect(!AuditCommand.isFinal(record, at: record.at + .milliseconds(59_999)))
        #expect(AuditCommand.isFinal(record, at: record.at + .seconds(60)))
        record.outcome = .done
        #expect(AuditCommand.isFinal(record, at: record.at))
    }

    @Test(arguments: [
        ("7d", 1_800_000_000 - 7 * 86_400), ("1h", 1_800_000_000 - 3600), ("2026-11-01", 1_793_491_200),
        ("2026-11-01T08:00:00Z", 1_793_520_000),
    ])
    func `audit records are selected since a day, a time or a duration`(text: String, seconds: Int64) throws {
        #expect(try AuditCommand.moment(text, now: Timestamp(seconds: 1_800_000_000)) == Timestamp(seconds: seconds))
    }

    @Test(arguments: ["", "yesterday", "7", "2026-13-01", "-7d", "2026-11-01T08:00"])
    func `audit records are not selected since an invalid time`(
        text: String
    ) {
        #expect(throws: ValidationError.self) { try AuditCommand.moment(text, now: Timestamp(seconds: 1_800_000_000)) }
    }
}
