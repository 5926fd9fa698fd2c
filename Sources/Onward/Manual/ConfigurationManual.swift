/// The manual page of the configuration file, onward.yaml(5).
struct ConfigurationManual {
    let file: SectionDescription
    let comments: SampleComments

    var text: String {
        var page = ManualPage(title: "ONWARD.YAML", section: 5)
        page.heading("NAME")
        page.paragraph("onward.yaml - the configuration file of onward(1)")
        page.heading("DESCRIPTION")
        for words in comments.introduction { page.paragraph(words) }
        page.heading("SETTINGS")
        list(DescribedKey.all(of: file, comments: comments), on: &page)
        page.heading("SEE ALSO")
        page.paragraph("onward(1), and the sample /usr/share/onward/Config/onward.yaml")
        return page.text
    }

    private func list(_ keys: [DescribedKey], on page: inout ManualPage) {
        var shared: [String]?
        for key in keys {
            var words = [summary(of: key)]
            // Keys in a row may share a comment.
            if key.paragraphs != shared { words += key.paragraphs }
            shared = key.paragraphs.isEmpty ? nil : key.paragraphs
            page.entry(key.name, words)
            let members = key.members(comments)
            if !members.isEmpty { page.indented { list(members, on: &$0) } }
        }
    }

    private func summary(of key: DescribedKey) -> String {
        let forms = key.forms.map(Self.words).joined(separator: ", or ")
        let value = key.defaultValue.map { ". Default: \($0)" } ?? ""
        return "\(forms.prefix(1).uppercased() + forms.dropFirst())\(key.isRequired ? ", required" : "")\(value)."
    }

    private static func words(for form: SettingDescription.ValueForm) -> String {
        switch form {
        case .text(nil): "text"
        case .text(let what?): what
        case .word(let word): "the word \(word)"
        case .flag: "true or false"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .span(let range): "a duration from \(range.lowerBound.configured) to \(range.upperBound.configured)"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .list(let item):
            if case .section? = item.forms.first {
                "a list, whose items have the keys below"
            } else {
                "a list, each item \(item.forms.map(Self.words).joined(separator: ", or "))"
            }
        case .section: "with the keys below"
        case .entries(let value): "keys of your own, each with \(value.forms.map(Self.words).joined(separator: ", or "))"
        }
    }
}
