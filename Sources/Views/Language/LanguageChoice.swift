extension Views {
    /// The shipped language of exactly this tag (case aside, as in BCP 47); nil for everything else (P8).
    package func language(matching tag: String?) -> Language? { tag.flatMap { language(matching: $0.utf8[...]) } }

    /// The shipped language that is liked best: that of each tag, or else of its first subtag; English where none is shipped.
    ///
    /// Source: RFC 4647 section 3.4 (lookup).
    /// - Parameter tags: the best first.
    package func language(liking tags: [String]) -> Language {
        for tag in tags {
            let tag = tag.utf8[...]
            if let language = language(matching: tag) ?? language(matching: tag.prefix { $0 != UInt8(ascii: "-") }) { return language }
        }
        return languages[0]
    }

    private func language(matching tag: Substring.UTF8View) -> Language? {
        languages.first { $0.code.utf8.elementsEqual(tag) { $0.lowercased == $1.lowercased } }
    }
}

extension UInt8 {
    /// ASCII only: tags are nothing else.
    fileprivate var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
