/// A key of the configuration file with everything that is known of it, for the manual and the
/// schema.
struct DescribedKey {
    let name: String
    let isRequired: Bool
    let forms: [SettingDescription.ValueForm]
    let paragraphs: [String]
    /// As the sample writes it; nil if there is none.
    let defaultValue: String?
    /// The path, such as `mail.relays.url`.
    let path: String

    /// The keys of the whole file.
    static func all(of file: SectionDescription, comments: SampleComments) -> [DescribedKey] {
        keys(of: file, at: "", comments)
    }

    /// The keys of the mappings that this value may be or contain.
    func members(_ comments: SampleComments) -> [DescribedKey] { forms.flatMap { Self.members(of: $0, at: path, comments) } }

    static func members(of form: SettingDescription.ValueForm, at path: String, _ comments: SampleComments) -> [DescribedKey] {
        switch form {
        case .section(let section): keys(of: section, at: path, comments)
        case .list(let item): item.forms.flatMap { members(of: $0, at: path, comments) }
        case .text, .word, .flag, .count, .span, .choice, .entries: []
        }
    }

    static func keys(of section: SectionDescription, at path: String, _ comments: SampleComments) -> [DescribedKey] {
        let keys = ([section] + section.alternatives).flatMap(\.keys).map { key in
            let path = path.isEmpty ? key.name : "\(path).\(key.name)"
            return DescribedKey(
                name: key.name, isRequired: key.isRequired && section.alternatives.isEmpty, forms: key.value.forms,
                paragraphs: comments.paragraphs[path] ?? [], defaultValue: comments.defaults[path], path: path)
        }
        // As in the sample; the others follow in the order in which they are read.
        return keys.enumerated().sorted {
            (comments.order[$0.element.path] ?? .max, $0.offset) < (comments.order[$1.element.path] ?? .max, $1.offset)
        }.map(\.element)
    }

    /// The paths of all keys of a file.
    static func paths(of section: SectionDescription, at path: String = "") -> Set<String> {
        var paths: Set<String> = []
        for key in ([section] + section.alternatives).flatMap(\.keys) {
            let path = path.isEmpty ? key.name : "\(path).\(key.name)"
            paths.insert(path)
            for form in key.value.forms { paths.formUnion(self.paths(in: form, at: path)) }
        }
        return paths
    }

    private static func paths(in form: SettingDescription.ValueForm, at path: String) -> Set<String> {
        switch form {
        case .section(let section): paths(of: section, at: path)
        case .list(let item): item.forms.reduce(into: []) { $0.formUnion(paths(in: $1, at: path)) }
        case .text, .word, .flag, .count, .span, .choice, .entries: []
        }
    }
}
