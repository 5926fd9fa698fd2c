import Yams

/// The comments and the defaults of the sample configuration, by the path of their key, such as
/// `projects.lifetimes.signIn`.
struct SampleComments {
    /// The comment at the top of the file, in paragraphs.
    private(set) var introduction: [String] = []
    /// The paragraphs about each key.
    private(set) var paragraphs: [String: [String]] = [:]
    /// The values of the keys that are commented out, which are defaults, as they are written.
    private(set) var defaults: [String: String] = [:]

    /// The paths in the order of the file.
    private(set) var order: [String: Int] = [:]

    private let known: Set<String>
    /// The keys that the current line is in, with their columns.
    private var parents: [(column: Int, path: String)] = []
    /// The comment lines since the last key or empty line.
    private var pending: [String] = []
    /// The key of the line before, if no empty line and no comment follows it.
    private var previous: (column: Int, path: String)?

    /// - Parameter known: the paths of all keys that there are.
    init(sample: String, known: Set<String>) {
        self.known = known
        for line in sample.split(separator: "\n", omittingEmptySubsequences: false) { read(line) }
        for (path, lines) in paragraphs { paragraphs[path] = Self.paragraphs(of: takeInner(of: path, from: lines)) }
    }

    private mutating func read(_ line: Substring) {
        let (text, isDefault) = Self.uncommented(line)
        let content = text.drop { $0 == " " }
        let column = text.count - content.count
        guard !content.isEmpty else {
            if introduction.isEmpty { introduction = Self.paragraphs(of: pending) }
            (pending, previous) = ([], nil)
            return
        }
        if content.hasPrefix("#") {
            readComment(content.dropFirst().drop { $0 == " " }, column: column)
        } else {
            readKey(content, column: column, isDefault: isDefault)
        }
    }

    /// A line of a default without its number sign: `#key:` at the margin, or `#  key:` below one.
    private static func uncommented(_ line: Substring) -> (text: String, isDefault: Bool) {
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        guard rest.hasPrefix("#"), rest.count > 1, rest.dropFirst().first != " " || rest.hasPrefix("#  ") else {
            return (String(line), false)
        }
        return (String(indent + rest.dropFirst()), true)
    }

    private mutating func readComment(_ text: Substring, column: Int) {
        // An example of a key without a default, such as `# logo: logo.svg`, is described by the
        // lines above it.
        if let key = text.firstMatch(of: #/^(\w+): (?:\S+|\{.*\})$/#)?.1 {
            let path = path(of: key, at: column)
            if known.contains(path), paragraphs[path] == nil, !pending.isEmpty {
                (paragraphs[path], pending, order[path]) = (pending, [], order.count)
                return
            }
        }
        pending.append(String(text))
        previous = nil
    }

    private mutating func readKey(_ content: Substring, column: Int, isDefault: Bool) {
        guard let match = content.firstMatch(of: #/^(- +)?(\w+):(?: +(.+))?$/#) else { return }
        let column = column + (match.1?.count ?? 0)
        let path = path(of: match.2, at: column)
        parents.append((column, path))
        if order[path] == nil { order[path] = order.count }
        if !pending.isEmpty {
            paragraphs[path] = pending
        } else if let previous, previous.column == column {
            // Keys in a row share the comment above the first.
            paragraphs[path] = paragraphs[previous.path]
        }
        (pending, previous) = ([], (column, path))
        if isDefault, let value = match.3 { defaults[path] = String(value) }
    }

    /// The path of a key in a column, which leaves the keys that are as deep or deeper.
    private mutating func path(of key: Substring, at column: Int) -> String {
        while let last = parents.last, last.column >= column { parents.removeLast() }
        return (parents.last.map { $0.path + "." } ?? "") + key
    }

    /// Moves the lines that explain a key below this one, such as `replyTo: where replies go.`, to
    /// that key.
    /// - Returns: the other lines.
    private mutating func takeInner(of path: String, from lines: [String]) -> [String] {
        var (own, inner) = ([String](), String?.none)
        for line in lines {
            if line.isEmpty { inner = nil }
            if let match = line.firstMatch(of: #/^(\w+): (\S.*)$/#), let found = descendant(of: path, named: match.1) {
                inner = found
                paragraphs[found] = [String(match.2)]
            } else if let inner {
                paragraphs[inner] = Self.paragraphs(of: (paragraphs[inner] ?? []) + [line])
            } else {
                own.append(line)
            }
        }
        return own
    }

    /// The path of the nearest key below another one that has no comment yet.
    private func descendant(of path: String, named name: Substring) -> String? {
        known.filter { $0.hasPrefix(path + ".") && $0.hasSuffix("." + name) && paragraphs[$0] == nil }
            .min { ($0.count, $0) < ($1.count, $1) }
    }

    /// Lines joined to paragraphs. An item of a list is one of its own.
    private static func paragraphs(of lines: [String]) -> [String] {
        var (paragraphs, isOpen) = ([String](), false)
        for line in lines {
            if line.isEmpty {
                isOpen = false
            } else if isOpen, !line.hasPrefix("- "), let last = paragraphs.popLast() {
                paragraphs.append(last + " " + line)
            } else {
                paragraphs.append(line)
                isOpen = true
            }
        }
        return paragraphs
    }
}
