import Base
import Cryptography
import Testing
@testable import Accounts

@Suite struct `A time-based one-time password` {
    /// A row of the table in RFC 6238 appendix B: passwords of eight digits for keys that repeat
    /// the digits 1 to 0.
    struct Row: Sendable {
        let seconds: Int64
        let sha1, sha256, sha512: String
    }

    /// F5. Source: RFC 6238 appendix B.
    @Test(arguments: [
        Row(seconds: 59, sha1: "94287082", sha256: "46119246", sha512: "90693936"),
        Row(seconds: 1_111_111_109, sha1: "07081804", sha256: "68084774", sha512: "25091201"),
        Row(seconds: 1_111_111_111, sha1: "14050471", sha256: "67062674", sha512: "99943326"),
        Row(seconds: 1_234_567_890, sha1: "89005924", sha256: "91819424", sha512: "93441116"),
        Row(seconds: 2_000_000_000, sha1: "69279037", sha256: "90698825", sha512: "38618901"),
        Row(seconds: 20_000_000_000, sha1: "65353130", sha256: "77737706", sha512: "47863826"),
    ])
    func `is that of RFC 6238`(_ row: Row) {
        let digits = Array("1234567890".utf8)
        let step = TOTP.step(at: Timestamp(seconds: row.seconds))
        for (function, expected) in [(HashFunction.sha1, row.sha1), (.sha256, row.sha256), (.sha512, row.sha512)] {
            let key = (0..<function.byteCount).map { digits[$0 % 10] }
            #expect(TOTP(key: SecretBytes(key), function, digits: 8).password(ofStep: step) == expected)
            #expect(TOTP(key: SecretBytes(key), function).password(ofStep: step) == expected.suffix(6))
        }
    }

    /// F5: clocks may differ by one step.
    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func `is accepted one step early and late`(_ steps: Int64, _ isAccepted: Bool) {
        let totp = TOTP(key: Array("12345678901234567890".utf8))
        // At the first and at the last second of a step.
        for seconds: Int64 in [1_800_000_000, 1_800_000_029] {
            let step = TOTP.step(at: Timestamp(seconds: seconds)) + steps
            let found = totp.step(of: totp.password(ofStep: step), at: Timestamp(seconds: seconds))
            #expect(found == (isAccepted ? step : nil))
        }
    }

    @Test func `is typed in groups and with the digits of every script`() {
        #expect("123 456".typedDigits(6) == "123456" && "١٢٣٤٥٦".typedDigits(6) == "123456")
        for text in ["", "12345", "1234567", "12345a", "½23456"] { #expect(text.typedDigits(6) == nil) }
    }
}
