internal import Yams

/// One mapping of the file, read key by key: what nobody asked for is an unknown key.
final class Section {
    private let path: String
    private let mark: Mark?
    private let members: Node.Mapping?
    private let findings: Findings
    private var asked: [String] = []

    /// - Parameter members: nil for a section that is not in the file, whose keys all have their defaults.
    init(_ members: Node.Mapping?, path: String, mark: Mark?, findings: Findings) {
        (self.members, self.path, self.mark, self.findings) = (members, path, mark, findings)
    }

    /// The value of a key, or nil where it is missing or wrong; only the latter is a problem.
    func value<T>(_ key: String, _ read: (Setting) throws(Fault) -> T) -> T? {
        asked.append(key)
        guard let (name, node) = members?.first(where: { $0.key.string == key }) else { return nil }
        let setting = Setting(path: join(key), node: node, findings: findings)
        do throws(Fault) {
            return try read(setting)
        } catch {
            findings.note(error.sentence, key: setting.path, at: setting.mark ?? name.mark)
            return nil
        }
    }

    /// Like `value`, for a key that must be there.
    func required<T>(_ key: String, expecting what: String, _ read: (Setting) throws(Fault) -> T) -> T? {
        if members?.contains(where: { $0.key.string == key }) != true {
            findings.note("is missing; expected \(what)", key: join(key), at: mark)
        }
        return value(key, read)
    }

    /// A section inside; absent, it is read all the same, for its defaults.
    func section<T>(_ key: String, _ read: (Section) -> T) -> T? {
        guard members?.contains(where: { $0.key.string == key }) == true else {
            asked.append(key)
            return read(Section(nil, path: join(key), mark: mark, findings: findings))
        }
        return value(key) { setting throws(Fault) in try setting.section(read) }
    }

    /// A problem of the section as a whole.
    func note(_ sentence: String) { findings.note(sentence, key: path.isEmpty ? nil : path, at: mark) }

    /// To be called when all keys were asked for.
    func refuseUnknownKeys() {
        for (key, _) in members ?? Node.Mapping([]) {
            guard let name = key.string else {
                findings.note("a key must be plain text", key: path.isEmpty ? nil : path, at: key.mark)
                continue
            }
            guard !asked.contains(name) else { continue }
            let remedy =
                Spelling.nearest(to: name, among: asked).map { "did you mean \($0)?" }
                ?? "the keys here are \(asked.joined(separator: ", "))"
            findings.note("unknown key; \(remedy)", key: join(name), at: key.mark)
        }
    }

    private func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
