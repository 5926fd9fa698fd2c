/// The first problem of a mail template: its position, and a sentence that says what to do.
public struct TemplateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line from 1.
    public let line: Int
    /// The column from 1, in code points.
    public let column: Int
    public let sentence: String

    public var description: String { "line \(line), column \(column): \(sentence)" }

    init(line: Int = 1, column: Int = 1, _ sentence: String) { (self.line, self.column, self.sentence) = (line, column, sentence) }
}

/// The text of a template, whose positions are counted in code points.
struct TemplateSource: Sendable {
    let scalars: [Unicode.Scalar]

    /// A byte order mark is left out, and each line ends with one line feed.
    init(_ text: String) {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        if scalars.contains("\r") {
            scalars = scalars.indices.filter { scalars[$0] != "\r" || $0 + 1 == scalars.count || scalars[$0 + 1] != "\n" }
                .map { scalars[$0] }
        }
        self.scalars = scalars
    }

    var text: String { text(of: 0..<scalars.count) }

    func text(of range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    func problem(at offset: Int, _ sentence: String) -> TemplateProblem {
        let before = scalars[..<min(offset, scalars.count)]
        let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        return TemplateProblem(line: before.count { $0 == "\n" } + 1, column: before.count - start + 1, sentence)
    }
}
