import Testing
@testable import Views

@Suite struct `The text of a mail` {
    /// L6: a link survives its mail, and what mail programs and hands do to it.
    @Test func `is broken at spaces, so that links and addresses stay whole`() {
        let link = "https://app.example/__/auth/action?oobCode=" + String(repeating: "Ab9_", count: 40)
        let address = "後藤" + String(repeating: "例", count: 30) + "@" + String(repeating: "例え", count: 20) + ".example"
        let words = String(repeating: "word ", count: 30)
        let text = wrapped("\(words)\n\n\(link)\n\nE-mail: \(address)\n\(words)\(link) \(words)")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 == link }.count == 2 && lines.contains(address))
        #expect(lines.allSatisfy { $0.count <= 72 || $0 == link || $0 == address })
        #expect(
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                == "\(words)\(link) E-mail: \(address) \(words)\(link) \(words)".dropLast())
    }

    @Test func `is left alone where lines are short, but for several empty lines`() {
        #expect(wrapped("\n\na  b\n\n\n\n-- \nApp\n") == "a  b\n\n-- \nApp\n")
        let exact = String(repeating: "a", count: 35) + " " + String(repeating: "b", count: 36)
        #expect(wrapped(exact) == exact)
        #expect(wrapped(exact + "c") == exact.replacing(" ", with: "\n") + "c")
        #expect(wrapped("  a  \(exact)") == "  a  " + exact.replacing(" ", with: "\n"))
    }

    /// Each character has two columns, so 36 are a line.
    @Test func `is broken between Chinese and Japanese characters, but not before a full stop or after a bracket`() {
        let six = String(repeating: "漢字かなカナ", count: 6)
        #expect(wrapped(six) == six)
        #expect(wrapped(six + "漢") == "\(six)\n漢")
        #expect(wrapped(six + "。次") == "\(six.dropLast())\n\(six.suffix(1))。次")
        #expect(wrapped(six.dropLast() + "「次」") == "\(six.dropLast())\n「次」")
        #expect(wrapped(six.dropLast() + "ー。」次") == "\(six.dropLast(2))\n\(six.dropLast().suffix(1))ー。」次")
        #expect(wrapped(six + " Sunlit Notes") == "\(six)\nSunlit Notes")
    }

    @Test func `keeps the words of Korean and the clauses of Thai`() {
        let korean = String(repeating: "비밀번호를 ", count: 9)
        #expect(
            wrapped(korean).split(separator: "\n").allSatisfy {
                $0.split(separator: " ").allSatisfy { $0 == "비밀번호를" } && String($0).monospacedWidth <= 72
            })
        let thai = "คุณได้รับอีเมลฉบับนี้เพราะมีผู้ป้อนที่อยู่อีเมลของคุณที่ Sunlit Notes โปรดขอตั้งรหัสผ่านใหม่"
        #expect(wrapped(thai).split(whereSeparator: \.isWhitespace) == thai.split(separator: " "))
    }
}
