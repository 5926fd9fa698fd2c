@testable import Configuration

/// The manual page of the configuration file, onward.yaml(5).
struct ConfigurationManual {
    let keys: [KeyDescription]
    let version: String

    var text: String {
        var page = ManualPage(title: "ONWARD.YAML", section: 5, version: version)
        page.heading("NAME")
        page.paragraph("onward.yaml - the configuration file of onward(1)")
        page.heading("DESCRIPTION")
        for paragraph in SampleConfiguration.introduction { page.paragraph(paragraph) }
        page.heading("SETTINGS")
        list(keys, areRequired: true, on: &page)
        page.heading("SEE ALSO")
        page.paragraph("onward(1), and the sample /usr/share/onward/Config/onward.yaml")
        return page.text
    }

    /// - Parameter areRequired: whether required keys are said to be. Those of one of several forms
    ///   of a mapping are not.
    private func list(_ keys: [KeyDescription], areRequired: Bool, on page: inout ManualPage) {
        for key in keys {
            let forms = key.shapes.words
            let summary = forms.prefix(1).uppercased() + forms.dropFirst() + (key.isRequired && areRequired ? ", required" : "")
            page.entry(key.name, ["\(summary).\(key.standard.map { " Default: \($0)." } ?? "")", key.text].filter { !$0.isEmpty })
            guard !key.members.isEmpty else { continue }
            page.indented { list(key.members, areRequired: key.shapes.count { !$0.members.isEmpty } == 1, on: &$0) }
        }
    }
}
