import Base
import Testing
import Vectors

@Suite struct `A JSON text` {
    @Test(arguments: [
        ("null", JSON.null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .number("0")), ("-0.5e+10", .number("-0.5e+10")),
        ("9223372036854775808", .number("9223372036854775808")), ("\"\"", .string("")), ("[]", .array([])), ("{}", .object([:])),
        (#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00é""#, .string("\"\\/\u{8}\u{c}\n\r\tA😀é")),
        (#"[1,[2],{"a":null,"":{}}]"#, .array([.number("1"), .array([.number("2")]), .object(["a": .null, "": .object([:])])])),
        (#"{"\u0000":"\u0000"}"#, .object(["\0": "\0"])),
    ])
    func `is read for what it says`(_ text: String, _ json: JSON) throws { #expect(try JSON(Array(text.utf8)) == json) }

    @Test(
        arguments: [
            ("", .ended), ("  ", .ended), ("nul", .ended), ("nulL", .unexpected), ("1 2", .unexpected), ("01", .unexpected), ("-", .ended),
            ("+1", .unexpected), (".5", .unexpected), ("1.", .ended), ("1e", .ended), ("NaN", .unexpected), ("\"", .ended),
            ("\"\n\"", .unexpected),
            (#""\x""#, .unexpected), (#""\u12g4""#, .unexpected), (#""\u12"#, .ended), (#""\ud800""#, .loneSurrogate),
            (#""\udc00\ud800""#, .loneSurrogate), (#""\ud800\u0041""#, .loneSurrogate), ("[1,]", .unexpected), ("[1", .ended),
            ("[1 2]", .unexpected),
            ("{\"a\"}", .unexpected), ("{a:1}", .unexpected), ("{\"a\":1,}", .unexpected), ("{\"a\":1", .ended),
            ("\u{feff}{}", .unexpected),
            ("'a'", .unexpected), ("// no\n1", .unexpected), ("\u{a0}1", .unexpected),
        ] as [(String, JSON.Malformed.Fault)])
    func `is refused when it is none`(_ text: String, _ fault: JSON.Malformed.Fault) {
        #expect(throws: JSON.Malformed.self) { try JSON(Array(text.utf8)) }
        #expect(fault == self.fault(of: Array(text.utf8)))
    }

    /// Readers differ in which of two they take, so neither is taken (as L7 for links). Escapes do
    /// not hide a repetition.
    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"b":{"c":1,"\u0063":2}}"#])
    func `names nothing twice`(_ text: String) { #expect(fault(of: Array(text.utf8)) == .repeatedName) }

    @Test(arguments: [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xff], [0xe2, 0x82]] as [[UInt8]])
    func `is UTF-8`(_ bytes: [UInt8]) { #expect(fault(of: [0x22] + bytes + [0x22]) == .notUTF8) }

    /// X1: the depth of JSON has a limit, exact to one.
    @Test func `is nested no deeper than its bound`() throws {
        func nested(_ depth: Int) -> [UInt8] { Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
        _ = try JSON(nested(JSON.ReadingLimits().maxDepth))
        #expect(fault(of: nested(JSON.ReadingLimits().maxDepth + 1)) == .tooDeep)
        #expect(fault(of: Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == .tooDeep)
        #expect(fault(of: Array(String(repeating: "{\"a\":", count: 100_000).utf8)) == .tooDeep)
    }

    /// V4: nothing is read beyond the first member or value too many, and the fault is there.
    @Test(arguments: [(3, nil), (4, JSON.Malformed.Fault.tooManyMembers), (100_000, .tooManyMembers)])
    func `has as many members in one object as its reader takes`(_ count: Int, _ fault: JSON.Malformed.Fault?) {
        let text = "{" + (0..<count).map { "\"n\($0)\":[{}]" }.joined(separator: ",") + "}"
        let malformed = self.malformed(text, JSON.ReadingLimits(maxMembers: 3, maxValues: 10_000_000))
        #expect(malformed?.fault == fault)
        if fault != nil { #expect(malformed?.offset == "{\"n0\":[{}],\"n1\":[{}],\"n2\":[{}],".utf8.count) }
    }

    /// V4: JSON is bounded, so that no request holds an event loop longer than 5 ms.
    @Test(arguments: [
        ("[1,2]", nil), ("[1,2,3]", 5), ("[[],[[]]]", 5), (#"{"a":{"b":{"c":{}}}}"#, 15),
        ("[" + String(repeating: "1,", count: 500_000), 5),
    ])
    func `has as many values as its reader takes`(_ text: String, _ offset: Int?) {
        let malformed = self.malformed(text, JSON.ReadingLimits(maxMembers: 3, maxValues: 3))
        #expect(malformed?.offset == offset && malformed?.fault == offset.map { _ in .tooManyValues })
    }

    /// Two names are one only if their bytes are, whatever Unicode says of them.
    @Test func `names members by their bytes`() throws {
        let json = try JSON(Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8))
        #expect(json["\u{e9}"] == .number("1") && json["e\u{301}"] == .number("2"))
    }

    /// H19 in small: whatever is cut off or changed in a good text, it is read or refused, and what
    /// is read is written the same again.
    @Test func `is read whole or not at all`() throws {
        let good = Array(#"{"a":[1.5e3,"\ud83d\ude00\n",true,null],"b":{"c":"é"}}"#.utf8)
        for end in good.indices { #expect(throws: JSON.Malformed.self) { try JSON(Array(good[..<end])) } }
        for place in good.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = good
                changed[place] = byte
                guard let json = try? JSON(changed) else { continue }
                #expect(try JSON(json.bytes) == json)
            }
        }
    }

    @Test(.enabled(if: Vectors.arePresent, "\(Vectors.absence)"))
    func `carries any string there and back`() throws {
        guard case .array(let strings) = try JSON(Array(Vectors.bytes("inject/naughty-strings.json"))) else {
            Issue.record("not a list")
            return
        }
        #expect(strings.count > 500)
        for string in strings { #expect(try JSON(string.bytes) == string) }
        for string in strings { #expect(!string.text.contains { "<>&\u{2028}\u{2029}".contains($0) }) }
    }

    private func malformed(_ text: String, _ limits: JSON.ReadingLimits) -> JSON.Malformed? {
        do {
            _ = try JSON(Array(text.utf8), within: limits)
            return nil
        } catch { return error }
    }

    private func fault(of bytes: [UInt8]) -> JSON.Malformed.Fault? {
        do {
            _ = try JSON(bytes)
            return nil
        } catch { return error.fault }
    }
}
