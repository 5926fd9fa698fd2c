import Accounts
import EmailActions
import Foundation
import Views
import Web

/// Puts letters into words with the templates and languages of `Views`, in the look of their project.
struct Words: Sendable {
    let views: Views
    let brands: Brands
    let now: Now

    func compose(_ letter: Letter, in project: Project) -> ComposedLetter {
        let view = LetterView(
            content(of: letter), brand: brands.brand(of: project), recipientName: letter.displayName, now: Date(now()))
        let language = language(for: letter, in: project)
        let template = Action(rawValue: letter.kind.rawValue).flatMap { project.templates[$0] }
        var mail = views.mail(view, in: language)
        if let template, language == views.language(matching: project.language) {
            OwnWords(template: template, letter: letter, project: project, language: language).replace(in: &mail)
        }
        return ComposedLetter(
            subject: mail.subject, text: mail.text, html: mail.html, link: letter.link, letterhead: template?.letterhead)
    }

    /// The letter's, else its first part, else the project's, else English.
    private func language(for letter: Letter, in project: Project) -> Language {
        views.language(liking: [letter.language, project.language])
    }

    private func content(of letter: Letter) -> LetterView.Content {
        let (recipient, other) = (letter.recipient.value, letter.otherEmail?.value)
        func link(_ action: LinkAction) -> LetterView.Content {
            // Only a change is mailed to another address than the one that it is about.
            let isChange = action == .verifyAndChangeEmail
            return .action(
                action, account: isChange ? other ?? recipient : recipient, other: isChange ? recipient : other,
                factor: letter.secondFactor, link: letter.link ?? "", expires: Date(letter.expiresAt ?? now()))
        }
        return switch letter.kind {
        case .resetPassword: link(.resetPassword)
        case .verifyEmail: link(.verifyEmail)
        case .signIn: link(.signIn)
        case .verifyAndChangeEmail: link(.verifyAndChangeEmail)
        case .recoverEmail: link(.recoverEmail)
        case .revertSecondFactorAddition: link(.revertSecondFactorAddition)
        case .passwordChanged: .passwordChanged(account: recipient)
        case .emailChanged: .emailChanged(account: recipient, new: other ?? recipient)
        case .emailRestored: .emailRestored(account: recipient)
        case .secondFactorRemoved: .secondFactorRemoved(account: recipient, factor: letter.secondFactor)
        }
    }
}

extension Date {
    init(_ moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }
}
