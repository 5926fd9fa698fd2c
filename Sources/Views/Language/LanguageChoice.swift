extension Views {
    /// The shipped language of exactly this tag (case aside, as in BCP 47); nil for everything else (P8).
    package func language(matching tag: String?) -> Language? {
        guard let tag else { return nil }
        return languages.first { $0.code.utf8.elementsEqual(tag.utf8, by: { $0.lowercased == $1.lowercased }) }
    }

    /// The shipped language that the browser likes best: each range in its order of weight, by its tag and then by its first
    /// subtag; English where none is shipped.
    ///
    /// Source: RFC 9110 section 12.5.4, RFC 4647 section 3.4 (lookup). At most sixteen ranges are read.
    package func language(accepting header: String?) -> Language {
        let ranges = (header ?? "").split(separator: ",", maxSplits: 16).prefix(16).compactMap { item -> (tag: String, weight: Double)? in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return weight > 0 ? (tag, weight) : nil
        }
        let liked = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return liked.lazy.compactMap { range in
            language(matching: range.element.tag)
                ?? language(matching: range.element.tag.split(separator: "-").first.map(String.init))
        }.first ?? languages[0]
    }
}

extension UInt8 {
    /// ASCII only: tags are nothing else.
    fileprivate var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
