/// A page of the manual in the macros of man(7).
struct ManualPage {
    private(set) var text: String

    /// - Parameter section: 1 for commands, 5 for files.
    init(title: String, section: Int, version: String) {
        // No date: the same sources have to give the same page.
        text = """
            .\\" Written by GeneratedFilesTests. Do not edit.
            .TH \(title) \(section) "" "Onward \(version)" "Onward"
            .nh
            .ad l

            """
    }

    /// Whether the last line begins a section, which begins its first paragraph as well.
    private var isBegun = false

    mutating func heading(_ title: String) { begin(".SH \(Self.quoted(title))") }
    mutating func subheading(_ title: String) { begin(".SS \(Self.quoted(title))") }

    private mutating func begin(_ request: String) {
        add(request)
        isBegun = true
    }

    mutating func paragraph(_ words: String) {
        if !isBegun { add(".PP") }
        add(Self.escaped(words))
    }

    /// An entry whose tag has its own line.
    mutating func entry(_ tag: String, _ paragraphs: [String]) {
        add(".TP")
        add("\\fB\(Self.inline(tag))\\fR")
        add(Self.escaped(paragraphs.first ?? ""))
        for words in paragraphs.dropFirst() {
            add(".IP")
            add(Self.escaped(words))
        }
    }

    /// Indents the text that `body` adds.
    mutating func indented(_ body: (inout ManualPage) -> Void) {
        add(".RS")
        body(&self)
        add(".RE")
    }

    /// The text of a help: paragraphs, and blocks whose lines are kept, with their titles.
    mutating func discussion(_ words: String) {
        for block in words.split(separator: "\n\n", omittingEmptySubsequences: true) {
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            let kept = lines.drop { !$0.hasPrefix(" ") }
            let prose = lines.prefix(lines.count - kept.count).joined(separator: " ")
            if !prose.isEmpty { paragraph(prose) }
            guard !kept.isEmpty else { continue }
            add(".PP\n.nf")
            for line in kept { add(Self.escaped(String(line))) }
            add(".fi")
        }
    }

    private mutating func add(_ line: String) {
        text += line + "\n"
        isBegun = false
    }

    private static func quoted(_ words: String) -> String { "\"\(inline(words).replacing("\"", with: "\\(dq"))\"" }

    /// Text in which nothing is read as a request: neither a leading dot nor a backslash.
    private static func escaped(_ words: String) -> String {
        let inline = inline(words)
        return inline.hasPrefix(".") || inline.hasPrefix("'") ? "\\&" + inline : inline
    }

    private static func inline(_ words: String) -> String {
        words.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("`", with: "\\(ga").replacing("'", with: "\\(aq")
            .replacing("^", with: "\\(ha").replacing("~", with: "\\(ti").replacing("…", with: "...")
    }
}
