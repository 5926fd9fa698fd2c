internal import HTTPTypes

/// Which codings of an answer a client takes, and how gladly. What is malformed counts as not said.
///
/// Source: RFC 9110 section 12.5.3.
struct AcceptedCodings: Sendable {
    /// In thousandths; nil: not said.
    private var gzip: Int?
    private var identity: Int?
    /// Of `*`: whatever is not named.
    private var others: Int?

    init(_ fields: HTTPFields) {
        for field in fields where field.name == .acceptEncoding {
            var rest = field.value.utf8[...]
            while let item = rest.takeItem(endedBy: ",") { take(item) }
        }
    }

    /// Whether gzip is welcome, and no less than the file as it is. Who wants neither is sent it as it is: everyone can read that.
    var prefersGzip: Bool {
        let weight = gzip ?? others ?? 0
        return weight > 0 && weight >= identity ?? others ?? 0
    }

    private mutating func take(_ item: Substring.UTF8View) {
        var rest = item
        guard let coding = rest.takeItem(endedBy: ";")?.trimmed, let weight = Self.weight(rest) else { return }
        if coding.isWord("gzip") || coding.isWord("x-gzip") {
            gzip = min(gzip ?? weight, weight)
        } else if coding.isWord("identity") {
            identity = min(identity ?? weight, weight)
        } else if coding.isWord("*") {
            others = min(others ?? weight, weight)
        }
    }

    /// What follows the coding: nothing, or `q=` with up to three decimals. Source: RFC 9110 section 12.4.2.
    private static func weight(_ parameter: Substring.UTF8View) -> Int? {
        let parameter = parameter.trimmed
        guard !parameter.isEmpty else { return 1_000 }
        let value = parameter.dropFirst(2)
        guard parameter.prefix(2).isWord("q="), let whole = value.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"),
            value.count <= 5, value.dropFirst().first ?? UInt8(ascii: ".") == UInt8(ascii: ".")
        else { return nil }
        var weight = whole == UInt8(ascii: "1") ? 1_000 : 0
        for (digit, place) in zip(value.dropFirst(2), [100, 10, 1]) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * place
        }
        return weight <= 1_000 ? weight : nil
    }
}

extension Substring.UTF8View {
    /// Takes what stands before the next `end`, and that; nil when nothing is left.
    fileprivate mutating func takeItem(endedBy end: Unicode.Scalar) -> Substring.UTF8View? {
        guard !isEmpty else { return nil }
        let item = prefix { $0 != UInt8(ascii: end) }
        self = self[item.endIndex...].dropFirst()
        return item
    }

    /// - Parameter word: in lower case.
    fileprivate func isWord(_ word: String) -> Bool { elementsEqual(word.utf8) { $0 == $1 || $0 | 0x20 == $1 } }
}
