/// The description of a value of the configuration file: what the code that reads it asks for.
///
/// Each method of `Setting` and `Section` that reads a value adds its form here, if the file is
/// described instead of read. So the description cannot differ from what is accepted.
final class SettingDescription {
    /// A form that the value may have.
    enum ValueForm {
        /// Any text; `what` says which, if not every text is accepted.
        case text(what: String?)
        /// This word alone.
        case word(String)
        case flag
        case count(ClosedRange<Int>)
        case span(ClosedRange<Duration>)
        case choice([String])
        case list(SettingDescription)
        case section(SectionDescription)
        /// A mapping whose keys are any text.
        case entries(SettingDescription)
    }

    private(set) var forms: [ValueForm] = []

    /// Adds a form, unless the value is read a second time in the same form.
    func add(_ form: ValueForm) {
        if case .text = form, forms.contains(where: { if case .text = $0 { true } else { false } }) { return }
        forms.append(form)
    }
}

/// The description of a mapping with known keys.
final class SectionDescription {
    struct Key {
        let name: String
        let value: SettingDescription
        var isRequired: Bool
    }

    /// In the order in which they are read.
    private(set) var keys: [Key] = []
    /// The other mappings that may be in its place.
    private(set) var alternatives: [SectionDescription] = []

    /// The description of the value of a key, which a second reading continues.
    func value(of name: String, isRequired: Bool = false) -> SettingDescription {
        if let index = keys.firstIndex(where: { $0.name == name }) {
            if isRequired { keys[index].isRequired = true }
            return keys[index].value
        }
        let value = SettingDescription()
        keys.append(Key(name: name, value: value, isRequired: isRequired))
        return value
    }

    func alternative() -> SectionDescription {
        let other = SectionDescription()
        alternatives.append(other)
        return other
    }
}
