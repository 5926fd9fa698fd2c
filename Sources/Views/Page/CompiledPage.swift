/// A page that its template has rendered once, cut at the texts that differ between requests.
struct CompiledPage: Sendable {
    /// The properties of a page that determine its compiled form: everything except the texts and
    /// times of one request. The number of shapes is finite, because no text that a client chose is
    /// part of one.
    struct Shape: Sendable, Hashable {
        let page: Page
        let language: Language

        /// Hashes only the parts that distinguish most shapes: hashing all of them takes longer
        /// than filling the page. Equality compares everything.
        func hash(into hasher: inout Hasher) {
            hasher.combine(language)
            hasher.combine(page.brand)
            switch page.content {
            case .confirm(let confirmation): hasher.combine(confirmation.action)
            case .done(let completion): hasher.combine(completion.action)
            case .error(let error): hasher.combine(error.reason)
            case .sent, .openApp: break
            }
        }
    }

    private let constant: [UInt8]
    /// The offsets in `constant` at which texts are inserted. One text may be inserted several
    /// times.
    private let cuts: [(offset: Int, text: Int)]

    /// - Parameter marked: HTML with the marks of `PageTexts`, which escaping does not change.
    init(_ marked: String) {
        var (constant, cuts): ([UInt8], [(Int, Int)]) = ([], [])
        for scalar in marked.unicodeScalars {
            if let text = scalar.markIndex {
                cuts.append((constant.count, text))
            } else {
                constant.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        (self.constant, self.cuts) = (constant, cuts)
    }

    func filled(with texts: [String]) -> [UInt8] {
        var page: [UInt8] = []
        page.reserveCapacity(texts.reduce(constant.count) { $0 + 3 * $1.utf8.count })
        constant.withUnsafeBufferPointer { constant in
            var start = 0
            for cut in cuts {
                page.append(contentsOf: constant[start..<cut.offset])
                page.append(markupOf: texts[cut.text])
                start = cut.offset
            }
            page.append(contentsOf: constant[start...])
        }
        return page
    }
}
