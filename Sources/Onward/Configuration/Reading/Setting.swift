internal import Yams

/// One value of the file, with the place that a problem is reported at. Every reader throws what it expected instead.
struct Setting {
    let path: String
    let node: Node
    let findings: Findings

    var mark: Mark? { node.mark }

    /// Any scalar is text as it is written, so that neither `no` nor `0123` becomes something else.
    func text() throws(Fault) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty, !(scalar.style == .plain && ["null", "~"].contains(scalar.string)) else {
            throw Fault("expected text")
        }
        return scalar.string
    }

    /// `text` that `pattern` matches whole; ASCII only, as Unicode stretches what a pattern means.
    func text(matching pattern: Regex<some Any>, _ what: String) throws(Fault) -> String {
        guard let text = node.scalar?.string, text.utf8.allSatisfy({ $0 < 0x80 }), text.wholeMatch(of: pattern) != nil else {
            throw Fault("expected \(what)")
        }
        return text
    }

    func flag() throws(Fault) -> Bool {
        switch (node.scalar?.style, node.scalar?.string) {
        case (.plain?, "true"?): return true
        case (.plain?, "false"?): return false
        default: throw Fault("expected true or false")
        }
    }

    /// A whole number in a range.
    func count(in range: ClosedRange<Int>) throws(Fault) -> Int {
        guard let scalar = node.scalar, scalar.style == .plain, let number = Int(scalar.string), range.contains(number) else {
            throw Fault("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number with its unit, such as `90s`.
    func span(in range: ClosedRange<Duration>) throws(Fault) -> Duration {
        guard let span = node.scalar.flatMap({ Duration(configured: $0.string) }), range.contains(span) else {
            let bounds = "from \(range.lowerBound.configured) to \(range.upperBound.configured)"
            throw Fault("expected a duration \(bounds), a number with ms, s, m, h or d behind it")
        }
        return span
    }

    /// One of the cases of an enum, by its raw value.
    func choice<T: RawRepresentable<String> & CaseIterable>(of type: T.Type) throws(Fault) -> T {
        guard let choice = node.scalar.flatMap({ T(rawValue: $0.string) }) else {
            throw Fault("expected one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func section<T>(_ read: (Section) throws(Fault) -> T) throws(Fault) -> T {
        guard let mapping = node.mapping else { throw Fault("expected keys and values") }
        let section = Section(mapping, path: path, mark: mark, findings: findings)
        defer { section.refuseUnknownKeys() }
        return try read(section)
    }

    /// The items that can be read; each of the others is a problem of its own, at its own place.
    func list<T>(_ read: (Setting) throws(Fault) -> T) throws(Fault) -> [T] {
        guard let sequence = node.sequence else { throw Fault("expected a list") }
        return sequence.enumerated().compactMap { index, node in
            let item = Setting(path: "\(path)[\(index)]", node: node, findings: findings)
            do throws(Fault) {
                return try read(item)
            } catch {
                findings.note(error.sentence, key: item.path, at: item.mark)
                return nil
            }
        }
    }
}
