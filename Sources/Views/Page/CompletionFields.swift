import AppLinks

extension Completion {
    func fields(in language: Language, _ brand: Brand) -> Fields {
        let words = language.words
        var blanks = brand.blanks
        blanks[.account] = account.map { .address($0) }
        blanks[.newAccount] = newAccount.map { .address($0) }
        blanks[.factor] = factor.map { .name($0) }
        var fields = Fields(words.done[action], blanks)
        fields[.success] = action.isAppliedByApp ? nil : .flag
        fields.merge(next.fields(in: language, blanks, isMain: passwordReset == nil)) { own, _ in own }
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
    /// `isMain`: it is the page's one button, not the second way beside it.
    func fields(in language: Language, _ blanks: [Blank: Value], isMain: Bool = true) -> Fields {
        let words = language.words.next
        return switch self {
        case .nowhere: [.closing: .phrase(words.close, blanks)]
        case .refused: [.closing: .phrase(words.refused, blanks)]
        case .to(let host, let url):
            [.links: .list([Fields(link: words.button, [.host: .address(host)], to: url, isMain: isMain)])]
        }
    }
}

extension Sending {
    func fields(in language: Language, _ brand: Brand) -> Fields {
        let words = language.words.sent
        var fields = Fields(mail == .newLink ? words.newLink : words.passwordReset, brand.blanks)
        fields[.facts] = account.flatMap { .facts([(language.words.facts.account, .address($0))]) }
        fields[.envelope] = .flag
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
            ways.enumerated().map { Fields(link: $1.0, $1.1, to: $1.2, isMain: $0 == 0) })
        return fields
    }
}

extension Fields {
    fileprivate init(link words: Phrase, _ blanks: [Blank: Value], to url: String, isMain: Bool) {
        self = [.button: .phrase(words, blanks), .href: .text(url)]
        self[.isMain] = isMain ? .flag : nil
    }
}
