internal import Accounts
package import EmailActions
import Foundation
package import Views

/// Composes letters: the shipped words of `Views` in the look of their project, or the project's
/// own templates.
package struct LetterComposer: Sendable {
    private let views: Views
    private let brand: @Sendable (Project) -> Brand
    private let origin: String

    /// - Parameters:
    ///   - brand: the look of a project.
    ///   - origin: the public origin, which serves the projects' logos.
    package init(views: Views, brand: @escaping @Sendable (Project) -> Brand, origin: String) {
        (self.views, self.brand, self.origin) = (views, brand, origin)
    }

    /// The subject, text and HTML of a letter, in its language, or else in the project's, or else
    /// in English. A project's template applies in the project's own language only.
    package func compose(_ letter: Letter, in project: Project) -> ComposedLetter {
        let view = LetterView(
            content(of: letter), brand: brand(project), origin: origin, recipientName: letter.displayName, now: Date(letter.createdAt),
            requestedAt: Date(letter.createdAt), device: letter.device.map { LetterView.Device(browser: $0.browser, system: $0.system) },
            number: letter.confirmationNumber)
        let language = views.language(liking: [letter.language, project.language])
        let template = letter.kind.action.flatMap { project.templates[$0] }
        var mail = views.mail(view, in: language)
        if let template, language == views.language(matching: project.language) {
            TemplateFiller(template: template, letter: letter, project: project, language: language).replaceWords(of: &mail)
        }
        return ComposedLetter(
            subject: mail.subject, text: mail.text, html: mail.html, link: letter.link, letterhead: template?.letterhead)
    }

    private func content(of letter: Letter) -> LetterView.Content {
        let (recipient, other) = (letter.recipient.shown, letter.otherEmail?.shown)
        return switch letter.kind {
        case .action(let action):
            .action(
                action, account: letter.account.shown, other: letter.otherAddress?.shown, factor: letter.secondFactor,
                link: letter.link ?? "", expires: Date(letter.expiresAt ?? letter.createdAt))
        case .notice(.passwordChanged): .passwordChanged(account: recipient)
        case .notice(.emailChanged): .emailChanged(account: recipient, new: other ?? recipient)
        case .notice(.emailRestored): .emailRestored(account: recipient)
        case .notice(.secondFactorRemoved): .secondFactorRemoved(account: recipient, factor: letter.secondFactor)
        }
    }
}
