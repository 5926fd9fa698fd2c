/// A page put into words by its template once, with its blanks cut out.
struct Stencil: Sendable {
    /// All pages that differ in texts and times alone. There are finitely many: no text of a stranger's is in it.
    struct Shape: Sendable, Hashable {
        let page: Page
        let language: Language
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
        var start = 0
        for cut in cuts {
            page.append(contentsOf: constant[start..<cut.place])
            page.append(markupOf: blanks[cut.blank])
            start = cut.place
        }
        page.append(contentsOf: constant[start...])
        return page
    }
}
