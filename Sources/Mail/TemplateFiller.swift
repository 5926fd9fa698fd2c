import Accounts
import EmailActions
import Views

/// Fills a project's own mail template with the values of one letter. Each value is inserted once
/// and not searched for placeholders again (M10).
struct TemplateFiller {
    let template: LetterTemplate
    let letter: Letter
    let project: Project
    let language: Language

    /// Replaces the shipped words by the template's. An HTML template leaves the text part as it
    /// is, which carries the same link (M7).
    func replaceWords(of mail: inout RenderedMail) {
        if let subject = template.subject { mail.subject = filled(subject) { value(of: $0) }.oneLine }
        guard let body = template.body else { return }
        switch template.format ?? .text {
        case .html: mail.html = filled(body) { value(of: $0).markup }
        case .text:
            mail.text = filled(body) { value(of: $0) }
            mail.html = page(of: body)
        }
    }

    /// A missing value also removes the space before it, so that `Hello %DISPLAY_NAME%,` becomes
    /// `Hello,` for an account without a name.
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

    /// The HTML part for a text template: its text, with the link as an anchor.
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

    /// The value of a placeholder; empty if the letter has none. Names that users chose are left
    /// out if a mail program could take them for a link or a reader for a sentence.
    private func value(of placeholder: Placeholder) -> String {
        switch placeholder {
        case .link: letter.link ?? ""
        case .email: letter.account.shown
        case .newEmail: letter.otherAddress?.shown ?? ""
        case .appName: project.displayName
        case .displayName: letter.displayName?.plainName ?? ""
        case .secondFactor: letter.secondFactor?.plainName ?? ""
        }
    }
}
