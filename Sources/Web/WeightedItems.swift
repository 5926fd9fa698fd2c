/// The items of a field such as `Accept`, each with its weight.
///
/// Source: RFC 9110 section 12.4.2.
struct WeightedItems: Sequence, IteratorProtocol {
    struct Item {
        let name: ArraySlice<UInt8>
        fileprivate let parameters: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ value: String) { rest = ArraySlice(value.utf8) }

    mutating func next() -> Item? {
        while var text = rest.takeItem(endedBy: ",") {
            if let name = text.takeItem(endedBy: ";") { return Item(name: name.trimmed, parameters: text) }
        }
        return nil
    }

    /// The names of the items among the first `count` whose weight is not zero, the highest weight
    /// first.
    func best(_ count: Int) -> [String] {
        let welcome = prefix(count).map { (name: $0.name, weight: $0.weight ?? 0) }.filter { $0.weight > 0 }.enumerated()
        let ordered = welcome.sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return ordered.map { String(decoding: $0.element.name, as: UTF8.self) }
    }
}

extension WeightedItems.Item {
    /// The weight of the parameter `q` in thousandths: 1000 if there is none, nil if it is
    /// malformed.
    var weight: Int? {
        var (rest, said) = (parameters, Int?.none)
        while let parameter = rest.takeItem(endedBy: ";")?.trimmed {
            guard parameter.prefix(while: { $0 != UInt8(ascii: "=") }).isWord("q") else { continue }
            guard said == nil, let weight = Self.thousandths(parameter.dropFirst(2)) else { return nil }
            said = weight
        }
        return said ?? 1_000
    }

    private static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
        guard let whole = text.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), text.count <= 5,
            text.dropFirst().first ?? UInt8(ascii: ".") == UInt8(ascii: ".")
        else { return nil }
        var number = whole == UInt8(ascii: "1") ? 1_000 : 0
        for (digit, place) in zip(text.dropFirst(2), [100, 10, 1]) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number += Int(digit - UInt8(ascii: "0")) * place
        }
        return number <= 1_000 ? number : nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are this word, ignoring case.
    ///
    /// - Parameter word: in lower case.
    func isWord(_ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return count == word.count && zip(self, word).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }

    /// Removes the bytes up to and including the next `end`, and returns those before it; nil at
    /// the end.
    fileprivate mutating func takeItem(endedBy end: Unicode.Scalar) -> Self? {
        guard !isEmpty else { return nil }
        let item = prefix { $0 != UInt8(ascii: end) }
        self = self[item.endIndex...].dropFirst()
        return item
    }
}
