/// A page put into words by its template once, with its blanks cut out.
struct Stencil: Sendable {
    /// All pages that differ in texts and times alone. There are finitely many: no text of a stranger's is in it.
    struct Shape: Sendable, Hashable {
        let page: Page
        let language: Language

        /// Of what sets most shapes apart, as looking at each mark takes longer than filling the page does; equality looks at all.
        func hash(into hasher: inout Hasher) {
            hasher.combine(language)
            hasher.combine(page.brand)
            switch page.content {
            case .confirm(let confirmation): hasher.combine(confirmation.action)
            case .done(let completion): hasher.combine(completion.action)
            case .trouble(let trouble): hasher.combine(trouble.reason)
            case .sent, .openApp: break
            }
        }
    }

    private let constant: [UInt8]
    /// Before which byte of `constant` each blank stands; one text may stand in many places.
    private let cuts: [(place: Int, blank: Int)]

    /// - Parameter marked: markup with the marks of `Blanks`, which escaping leaves as they are.
    init(_ marked: String) {
        var (constant, cuts): ([UInt8], [(Int, Int)]) = ([], [])
        for scalar in marked.unicodeScalars {
            if let blank = scalar.blank {
                cuts.append((constant.count, blank))
            } else {
                constant.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        (self.constant, self.cuts) = (constant, cuts)
    }

    func filled(with blanks: [String]) -> [UInt8] {
        var page: [UInt8] = []
        page.reserveCapacity(blanks.reduce(constant.count) { $0 + 3 * $1.utf8.count })
        constant.withUnsafeBufferPointer { constant in
            var start = 0
            for cut in cuts {
                page.append(contentsOf: constant[start..<cut.place])
                page.append(markupOf: blanks[cut.blank])
                start = cut.place
            }
            page.append(contentsOf: constant[start...])
        }
        return page
    }
}
