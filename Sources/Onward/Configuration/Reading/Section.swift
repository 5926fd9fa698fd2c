internal import Yams

/// A mapping of the file, read key by key. Keys that are not read are reported as unknown.
final class Section {
    private let path: String
    private let mark: Mark?
    private let members: Node.Mapping?
    let findings: ProblemCollector
    private var knownKeys: [String] = []
    /// Not nil if the keys are described, and not read.
    private let description: SectionDescription?

    /// - Parameter members: the mapping; nil for a section that is missing, whose keys have their
    ///   defaults.
    init(_ members: Node.Mapping?, path: String, mark: Mark?, findings: ProblemCollector) {
        (self.members, self.path, self.mark, self.findings) = (members, path, mark, findings)
        description = nil
    }

    /// A section whose keys are described: their values are asked for, and there are none.
    init(describing description: SectionDescription) {
        (members, path, mark, findings) = (nil, "", nil, ProblemCollector(file: ""))
        self.description = description
    }

    /// The value of a key; nil if it is missing or invalid. An invalid value is reported as a
    /// problem.
    func value<T>(_ key: String, _ read: (Setting) throws(SettingError) -> T) -> T? {
        if let description {
            _ = try? read(Setting(describing: description.value(of: key)))
            return nil
        }
        knownKeys.append(key)
        guard let (name, node) = members?.first(where: { $0.key.string == key }) else { return nil }
        let setting = Setting(path: join(key), node: node, findings: findings)
        do throws(SettingError) {
            return try read(setting)
        } catch {
            findings.note(error.sentence, key: setting.path, at: setting.mark ?? name.mark)
            return nil
        }
    }

    /// Whether the file has this key.
    func has(_ key: String) -> Bool { members?.contains { $0.key.string == key } == true }

    /// Names a key that another form of this section has, for the report about an unknown key.
    func suggest(_ key: String) { knownKeys.append(key) }

    /// The value of a required key. A missing key is reported as a problem.
    func required<T>(_ key: String, expecting what: String, _ read: (Setting) throws(SettingError) -> T) -> T? {
        _ = description?.value(of: key, isRequired: true)
        if description == nil, !has(key) {
            findings.note("is missing; expected \(what)", key: join(key), at: mark)
        }
        return value(key, read)
    }

    /// A nested section. A missing one is read too, for its defaults.
    func section<T>(_ key: String, _ read: (Section) -> T) -> T? {
        guard description != nil || has(key) else {
            knownKeys.append(key)
            return read(Section(nil, path: join(key), mark: mark, findings: findings))
        }
        return value(key) { setting throws(SettingError) in try setting.section(read) }
    }

    /// Reads the section in one of two forms. A description gets both.
    func oneOf<T>(
        _ isFirst: Bool, _ first: (Section) throws(SettingError) -> T, or second: (Section) throws(SettingError) -> T
    ) throws(SettingError) -> T {
        guard let description else { return isFirst ? try first(self) : try second(self) }
        _ = try? first(Section(describing: description.alternative()))
        return try second(self)
    }

    /// Reports a problem of the section as a whole.
    func note(_ sentence: String) { findings.note(sentence, key: path.isEmpty ? nil : path, at: mark) }

    /// Reports unknown keys. It is called after all keys have been read.
    func refuseUnknownKeys() {
        for (key, _) in members ?? Node.Mapping([]) {
            guard let name = key.string else {
                findings.note("a key must be plain text", key: path.isEmpty ? nil : path, at: key.mark)
                continue
            }
            guard !knownKeys.contains(name) else { continue }
            let remedy =
                Spelling.nearest(to: name, among: knownKeys).map { "did you mean \($0)?" }
                ?? "expected one of \(knownKeys.joined(separator: ", "))"
            findings.note("unknown key; \(remedy)", key: join(name), at: key.mark)
        }
    }

    private func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
