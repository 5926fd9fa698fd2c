extension Completion {
    func fields(in language: Language, _ brand: Brand) -> Fields {
        let words = language.words
        var blanks = brand.blanks
        blanks[.account] = account.map { .address($0) }
        blanks[.newAccount] = newAccount.map { .address($0) }
        blanks[.factor] = factor.map { .name($0) }
        var fields = Fields(words.done[action], blanks)
        fields[.success] = action == .signIn ? nil : .flag
        fields.merge(next.fields(in: language, blanks)) { own, _ in own }
        if let passwordReset {
            fields[.reset] = .group(
                passwordReset.fields.merging([
                    .heading: .phrase(words.next.resetTitle, blanks), .text: .phrase(words.next.resetLead, blanks),
                    .button: .phrase(words.next.resetButton, blanks),
                ]) { own, _ in own })
        }
        return fields
    }
}

extension Next {
    /// The way on, if there is one; else why not.
    func fields(in language: Language, _ blanks: [Blank: Value]) -> Fields {
        let words = language.words.next
        return switch self {
        case .nowhere: [.closing: .phrase(words.close, blanks)]
        case .refused: [.closing: .phrase(words.refused, blanks)]
        case .to(let host, let url):
            [.links: .list([[.isMain: .flag, .href: .text(url), .button: .phrase(words.button, [.host: .address(host)])]])]
        }
    }
}

extension Sending {
    func fields(in language: Language, _ brand: Brand) -> Fields {
        let words = language.words.sent
        var fields = Fields(mail == .newLink ? words.newLink : words.passwordReset, brand.blanks)
        fields[.facts] = account.map { .list([[.label: .phrase(language.words.facts.account, [:]), .value: .address($0)]]) }
        fields[.closing] = .phrase(words.wait, brand.blanks)
        return fields
    }
}

extension AppOffer {
    func fields(in language: Language, _ brand: Brand) -> Fields {
        let words = language.words.openApp
        var ways: [(Phrase, [Blank: Value], String)] = []
        if let open { ways.append((words.button, brand.blanks, open)) }
        if let store { ways.append((words.store, brand.blanks, store)) }
        if case .to(let host, let url) = web { ways.append((words.web, [.host: .address(host)], url)) }
        var fields = Fields(Words.Saying(title: words.title, lead: words.lead), brand.blanks)
        fields[.links] = .list(
            ways.enumerated().map { index, way in
                var link: Fields = [.button: .phrase(way.0, way.1), .href: .text(way.2)]
                link[.isMain] = index == 0 ? .flag : nil
                return link
            })
        return fields
    }
}
