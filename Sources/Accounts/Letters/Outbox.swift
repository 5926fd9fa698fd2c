public import Base

/// Encrypts letters into outbox rows, and decrypts them. The rows contain no words: a letter is
/// composed when it is sent, with the templates and languages of that moment.
public struct Outbox: Sendable {
    private let secrets: Secrets
    private let random: RandomBytes

    public init(secrets: Secrets, random: @escaping RandomBytes) {
        self.secrets = secrets
        self.random = random
    }

    /// - Parameters:
    ///   - id: the row id of the mail.
    ///   - account: the account that the letter concerns; nil if there is none.
    ///   - code: the row id of the letter's code; nil for a notice.
    ///   - client: asked for the mail, or did what it tells.
    func row(
        _ letter: Letter, id: Int64, in project: ProjectID, account: AccountID?, code: Int64? = nil, from client: Client
    ) -> StoredMail {
        StoredMail(
            id: MailID(rawValue: id), project: project, account: account, code: code,
            recipient: letter.recipient,
            recipientDigest: digest(of: letter.recipient, in: project), kind: letter.kind, language: letter.language,
            source: turn(of: letter.kind, about: account, from: client),
            sealed: secrets.seal(letter.sealedParts.bytes, for: .mail), createdAt: letter.createdAt,
            uselessAfter: letter.expiresAt)
    }

    /// The decrypted letter of a stored mail.
    public func open(_ mail: StoredMail) throws(ActionError) -> Letter {
        do {
            return Letter(of: mail, try JSON(try secrets.open(mail.sealed, for: .mail)))
        } catch {
            throw .unavailable(
                Unavailable(
                    .mail, cause: "the stored letter cannot be read: \(error); restore a backup, or drop it with `onward mail drop`"))
        }
    }

    /// The keyed hash under which the mails to an address are found after they were sent.
    public func digest(of recipient: EmailAddress, in project: ProjectID) -> Digest {
        secrets.digest(Array("\(project.rawValue)\n\(recipient.value)".utf8), for: .recipient)
    }

    /// A number for those whose mails take turns with others: the network that asked for a mail, or
    /// the account that a notice concerns. It tells nothing about them without the secret. 0 stands
    /// for admins, whose mails share their turns however many accounts they are for.
    private func turn(of kind: LetterKind, about account: AccountID?, from client: Client) -> Int64 {
        let subject = account.flatMap { kind.isAskedFor ? nil : "account \($0)" } ?? client.subscriber
        guard let subject else { return 0 }
        return secrets.authenticationCode(of: Array(subject.utf8), for: .mailSource).prefix(7).reduce(1) { $0 << 8 | Int64($1) }
    }
}
