internal import Yams

/// A value of the file with its position. Each reading method throws a sentence with what it
/// expects.
struct Setting {
    let path: String
    let node: Node
    let findings: ProblemCollector
    /// Not nil if the value is described, and not read.
    private let description: SettingDescription?

    init(path: String, node: Node, findings: ProblemCollector) {
        (self.path, self.node, self.findings, description) = (path, node, findings, nil)
    }

    /// A value that is described: each way of reading it is noted, and fails.
    init(describing description: SettingDescription) {
        (path, node, findings) = ("", .mapping(Node.Mapping([])), ProblemCollector(file: ""))
        self.description = description
    }

    var mark: Mark? { node.mark }

    /// Notes a form that the value may have, if it is described. Then there is no value to go on
    /// with.
    func describe(as form: @autoclosure () -> SettingDescription.ValueForm) throws(SettingError) {
        guard let description else { return }
        description.add(form())
        throw SettingError("described")
    }

    /// Whether the value is this word alone.
    func isWord(_ word: String) -> Bool {
        description?.add(.word(word))
        return node.scalar?.string == word
    }

    /// Reads the value in one of two forms. A description gets both.
    func oneOf<T>(
        _ isFirst: Bool, _ first: (Setting) throws(SettingError) -> T, or second: (Setting) throws(SettingError) -> T
    ) throws(SettingError) -> T {
        if description != nil { _ = try? first(self) }
        return isFirst && description == nil ? try first(self) : try second(self)
    }

    /// The text of any scalar as written, so that neither `no` nor `0123` is converted.
    func text() throws(SettingError) -> String {
        try describe(as: .text(what: nil))
        guard let scalar = node.scalar else { throw SettingError("expected text") }
        let isMissing = scalar.style == .plain && ["", "null", "~"].contains(scalar.string)
        guard !isMissing else { throw SettingError("expected text; a value that begins with # has to be in quotes") }
        guard !scalar.string.isEmpty else { throw SettingError("expected text that is not empty") }
        return scalar.string
    }

    /// ASCII text that matches `pattern` entirely. Regexes would also accept Unicode equivalents.
    func text(matching pattern: Regex<some Any>, _ what: String) throws(SettingError) -> String {
        try describe(as: .text(what: what))
        guard let text = node.scalar?.string, text.utf8.allSatisfy({ $0 < 0x80 }), text.wholeMatch(of: pattern) != nil else {
            throw SettingError("expected \(what)")
        }
        return text
    }

    func flag() throws(SettingError) -> Bool {
        try describe(as: .flag)
        switch (node.scalar?.style, node.scalar?.string) {
        case (.plain?, "true"?): return true
        case (.plain?, "false"?): return false
        default: throw SettingError("expected true or false")
        }
    }

    /// A whole number in a range.
    func count(in range: ClosedRange<Int>) throws(SettingError) -> Int {
        try describe(as: .count(range))
        guard let scalar = node.scalar, scalar.style == .plain, let number = Int(scalar.string), range.contains(number) else {
            throw SettingError("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The valid numbers of a mapping, whose keys are any text. Each invalid one is reported as a
    /// problem at its own position.
    func counts(in range: ClosedRange<Int>) throws(SettingError) -> [String: Int] {
        try describeEntries { item throws(SettingError) in try item.count(in: range) }
        guard let mapping = node.mapping else { throw SettingError("expected a mapping of keys and values") }
        var counts: [String: Int] = [:]
        for (key, node) in mapping {
            let item = Setting(path: "\(path).\(key.scalar?.string ?? "")", node: node, findings: findings)
            do throws(SettingError) { counts[key.scalar?.string ?? ""] = try item.count(in: range) } catch {
                findings.note(error.sentence, key: item.path, at: item.mark)
            }
        }
        return counts
    }

    /// A duration, such as `90s`.
    func span(in range: ClosedRange<Duration>) throws(SettingError) -> Duration {
        try describe(as: .span(range))
        guard let span = node.scalar.flatMap({ Duration(configured: $0.string) }), range.contains(span) else {
            let bounds = "from \(range.lowerBound.configured) to \(range.upperBound.configured)"
            throw SettingError("expected a duration \(bounds), a number with ms, s, m, h or d behind it")
        }
        return span
    }

    /// A case of an enum, by its raw value.
    func choice<T: RawRepresentable<String> & CaseIterable>(of type: T.Type) throws(SettingError) -> T {
        try describe(as: .choice(T.allCases.map(\.rawValue)))
        guard let choice = node.scalar.flatMap({ T(rawValue: $0.string) }) else {
            throw SettingError("expected one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func section<T>(_ read: (Section) throws(SettingError) -> T) throws(SettingError) -> T {
        if let description {
            let keys = SectionDescription()
            description.add(.section(keys))
            return try read(Section(describing: keys))
        }
        guard let mapping = node.mapping else { throw SettingError("expected a mapping of keys and values") }
        let section = Section(mapping, path: path, mark: mark, findings: findings)
        defer { section.refuseUnknownKeys() }
        return try read(section)
    }

    /// The valid items of a list. Each invalid one is reported as a problem at its own position.
    func list<T>(_ read: (Setting) throws(SettingError) -> T) throws(SettingError) -> [T] {
        if let description {
            let item = SettingDescription()
            description.add(.list(item))
            _ = try? read(Setting(describing: item))
            return []
        }
        guard let sequence = node.sequence else { throw SettingError("expected a list") }
        return sequence.enumerated().compactMap { index, node in
            let item = Setting(path: "\(path)[\(index)]", node: node, findings: findings)
            do throws(SettingError) {
                return try read(item)
            } catch {
                findings.note(error.sentence, key: item.path, at: item.mark)
                return nil
            }
        }
    }
    /// Notes that the value is a mapping whose keys are any text, if it is described.
    func describeEntries<T>(_ read: (Setting) throws(SettingError) -> T) throws(SettingError) {
        guard description != nil else { return }
        let item = SettingDescription()
        _ = try? read(Setting(describing: item))
        try describe(as: .entries(item))
    }
}
