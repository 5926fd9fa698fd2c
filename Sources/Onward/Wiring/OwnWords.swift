import Accounts
import EmailActions
import Views

/// A project's own words for a mail: its template with everything put in, once (M10).
struct OwnWords {
    let template: LetterTemplate
    let letter: Letter
    let project: Project
    let language: Language

    /// Puts them in place of Onward's. Beside an HTML body the text stays Onward's, with the same link (M7).
    func replace(in mail: inout RenderedMail) {
        if let subject = template.subject { mail.subject = filled(subject) { value(of: $0) }.oneLine }
        guard let body = template.body else { return }
        switch template.format ?? .text {
        case .html: mail.html = filled(body) { value(of: $0).markup }
        case .text:
            mail.text = filled(body) { value(of: $0) }
            mail.html = page(of: body)
        }
    }

    /// What nobody gave takes the space before it along: *Hello,* is for people without a name.
    private func filled(_ template: String, words: (String) -> String = \.self, _ value: (Placeholder) -> String) -> String {
        LetterTemplate.pieces(of: template).reduce(into: "") { text, piece in
            switch piece {
            case .words(let own): text += words(own)
            case .placeholder(let placeholder):
                let value = value(placeholder)
                if value.isEmpty, text.last == " " { text.removeLast() }
                text += value
            }
        }
    }

    /// The text as a page, in which the link can be followed.
    private func page(of body: String) -> String {
        let words = filled(body, words: \.markup) { placeholder in
            let value = value(of: placeholder).markup
            return placeholder == .link ? "<a href=\"\(value)\">\(value)</a>" : value
        }
        return """
            <!doctype html>
            <html lang="\(language.code.markup)" dir="auto">
            <head><meta charset="utf-8"><title>\(project.displayName.markup)</title></head>
            <body style="margin:24px;font:16px/1.5 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere">\(words)</body>
            </html>
            """
    }

    /// Names that people chose for themselves only where they cannot be taken for a link or a sentence.
    private func value(of placeholder: Placeholder) -> String {
        // A change is mailed to the address to come; everything else to the one that it is about.
        let isChange = letter.kind == .verifyAndChangeEmail
        let (recipient, other) = (letter.recipient.value, letter.otherEmail?.value)
        return switch placeholder {
        case .link: letter.link ?? ""
        case .email: isChange ? other ?? recipient : recipient
        case .newEmail: (isChange ? recipient : other) ?? ""
        case .appName: project.displayName
        case .displayName: letter.displayName?.plainName ?? ""
        case .secondFactor: letter.secondFactor?.plainName ?? ""
        }
    }
}
