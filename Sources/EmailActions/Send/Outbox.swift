package import Accounts
internal import Foundation

/// Encrypts letters into outbox rows, and decrypts them.
package struct Outbox: Sendable {
    private let compose: Compose
    private let secrets: Secrets
    private let now: Now
    private let random: RandomBytes

    package init(compose: @escaping Compose, secrets: Secrets, now: @escaping Now, random: @escaping RandomBytes) {
        self.compose = compose
        self.secrets = secrets
        self.now = now
        self.random = random
    }

    func row(_ letter: Letter, in project: Project) throws(ActionError) -> StoredMail {
        do {
            let words = Array(try JSONEncoder().encode(compose(letter, project)))
            return StoredMail(
                id: Base64URL.encode(random(16)), project: project.id, recipient: letter.recipient, kind: letter.kind,
                language: letter.language, sealed: secrets.seal(words, for: .mail), createdAt: now(), uselessAfter: letter.expiresAt)
        } catch { throw .unavailable(Unavailable(.mail, cause: "\(error)")) }
    }

    /// The decrypted letter of a stored mail.
    package func open(_ mail: StoredMail) throws(ActionError) -> ComposedLetter {
        do {
            return try JSONDecoder().decode(ComposedLetter.self, from: Data(try secrets.open(mail.sealed, for: .mail)))
        } catch { throw .unavailable(Unavailable(.mail, cause: "a stored mail cannot be opened with the configured secret")) }
    }
}
