import Foundation

extension Page {
    var template: String {
        switch content {
        case .confirm: "confirm"
        case .done: "done"
        case .trouble: "trouble"
        case .sent: "sent"
        case .openApp: "openApp"
        }
    }

    /// Everything that the page's template is filled with.
    func fields(in language: Language, of languages: [Language]) -> Fields {
        var fields =
            switch content {
            case .confirm(let confirmation): confirmation.fields(in: language, brand, now)
            case .done(let completion): completion.fields(in: language, brand)
            case .trouble(let trouble): trouble.fields(in: language, brand, now)
            case .sent(let sending): sending.fields(in: language, brand)
            case .openApp(let offer): offer.fields(in: language, brand)
            }
        fields.merge(brand.fields(in: language)) { own, _ in own }
        if case .trouble(let trouble) = content, trouble.reason != .alreadyDone {
            fields[.reference] = requestID.map { .phrase(language.words.foot.reference, [.id: .address($0)]) }
        }
        if let languageSwitch, languages.count > 1 {
            fields[.languageSwitch] = .group(languageSwitch.fields(in: language, of: languages))
        }
        return fields
    }
}

extension LanguageSwitch {
    fileprivate func fields(in language: Language, of languages: [Language]) -> Fields {
        let options = languages.map { option -> Fields in
            var fields: Fields = [.code: .text(option.code), .name: .text(option.name), .direction: .text(option.direction)]
            fields[.selected] = option == language ? .flag : nil
            return fields
        }
        return form.fields.merging([
            .languages: .list(options), .label: .phrase(language.words.foot.language, [:]),
            .change: .phrase(language.words.foot.change, [:]),
        ]) { own, _ in own }
    }
}

extension Brand {
    /// What stands around every page.
    func fields(in language: Language) -> Fields {
        let foot = language.words.foot
        var fields: Fields = [
            .language: .text(language.code), .direction: .text(language.direction), .app: .name(name), .style: .text(style.path),
            .script: .text(script.path), .icon: .text(icon.path), .why: .phrase(foot.why, blanks),
        ]
        fields[.logo] = logo.map { .text($0.path) }
        fields[.help] = helpLink.map { .phrase(foot.help, [.help: $0]) }
        return fields
    }

    var blanks: [Blank: Value] { [.app: .name(name)] }

    /// `help` as something to press.
    var helpLink: Value? {
        help.map { help in
            help.hasPrefix("https://") ? .link(to: help, shown: String(help.dropFirst(8))) : .link(to: "mailto:" + help, shown: help)
        }
    }
}

extension Form {
    /// What a template's form needs.
    var fields: Fields {
        [.path: .text(path), .hidden: .list(self.hidden.map { [.name: .text($0.name), .value: .text($0.value)] })]
    }
}

extension Fields {
    /// A title, for the page and for its tab, and the sentence below it.
    init(_ saying: Words.Saying, _ blanks: [Blank: Value]) {
        self = [.title: .phrase(saying.title, blanks), .pageTitle: .plain(saying.title, blanks), .lead: .phrase(saying.lead, blanks)]
    }
}
