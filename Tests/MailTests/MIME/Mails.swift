import Accounts
import Base
import Foundation
import Testing
import Views
@testable import Mail

/// Mails to be encoded.
enum Mails {
    static let link =
        "https://auth.example/__/auth/action?mode=resetPassword&oobCode=Ab9_-Ab9_=&apiKey=k%3D_&continueUrl=https%3A%2F%2Fa.example."

    static func mail(
        id: String = "m_1-A", from name: String? = "Sunlit Notes", at sender: String = "no-reply@app.example", replyTo: String? = nil,
        to recipient: String = "ada@mail.example", language: String = "en", subject: String = "Choose a new password",
        text: String = "Hello", html: String = "<p>Hello</p>"
    ) throws -> OutgoingMail {
        let sender = try #require(EmailAddress(sender))
        let letter = Letter(
            .action(.resetPassword), to: try #require(EmailAddress(recipient)), language: language,
            createdAt: Timestamp(seconds: 1_795_380_540))
        return OutgoingMail(
            id: id, project: ProjectID(rawValue: "notes"), letter, RenderedMail(subject: subject, text: text, html: html),
            from: Mailbox(name: name, address: sender), replyTo: replyTo.flatMap { EmailAddress($0) }, envelopeFrom: sender)
    }

    /// Every kind of letter in a language, as `LetterComposer` composes it.
    static func letters(in language: String, displayName: String = "Ada", app: String = "Sunlit Notes") throws -> [RenderedMail] {
        let views = try Views(resources: Resources(release: URL(filePath: #filePath).appending(path: "../../../..").standardized.path))
        var project = Project(
            id: ProjectID(rawValue: "notes"), displayName: app, authorizedDomains: try AuthorizedDomains([]),
            actionURL: try WebURL("https://auth.example/__/auth/action"))
        project.displayName = app
        let brand = try views.brand(name: app)
        let composer = LetterComposer(
            views: views, brand: { _ in brand }, origin: "https://auth.example")
        return try LetterKind.allCases.map { kind in
            var letter = Letter(
                kind, to: try #require(EmailAddress("ada@mail.example")), language: language, createdAt: Timestamp(seconds: 1_795_380_540))
            letter.displayName = displayName
            letter.otherEmail = EmailAddress("new@mail.example")
            letter.secondFactor = displayName
            letter.link = kind.action == nil ? nil : link
            letter.expiresAt = Timestamp(seconds: 1_795_384_140)
            return try composer.compose(letter, in: project)
        }
    }
}
