public import Accounts
import Configuration
public import Mail

/// The parts of `onward dev` that no configuration has.
public struct DevelopmentOptions: Sendable {
    /// The project that every API key belongs to.
    public var sample: Project
    /// Whether the first other project id that is named becomes another name of the sample.
    public var adoptsName = false
    /// The id that the sample got in an earlier run.
    public var alias: ProjectID?
    /// Keeps the id that the sample gets.
    public var keepAlias: @Sendable (ProjectID) -> Void = { _ in }
    public var tokens = Installation.TokenStyle.unsigned
    /// Whether pages of every website may be admin.
    public var trustsEveryOrigin = false
    /// Whether other machines can connect.
    public var listensBeyondLoopback = false
    public var passwordRules = DevPasswordRules.firebase
    /// The file with the issued codes; nil: they are lost when the process ends.
    public var codesFile: String?

    public init(sample: Project) { self.sample = sample }
}

/// The rules for passwords that `onward dev` applies.
public enum DevPasswordRules: String, Sendable, CaseIterable {
    /// Firebase's: six characters. The test suites of apps rely on them.
    case firebase
    /// The rules of `onward serve`.
    case production

    /// The remark of the start text.
    public var remark: String {
        switch self {
        case .firebase: "Passwords need six characters, as with Firebase; onward serve is stricter (--password-rules production)."
        case .production: "Passwords have the rules of onward serve."
        }
    }
}

extension MailSender {
    /// The sender of mails in development.
    public static let development = MailSender(from: Mailbox(name: nil, address: EmailAddress("no-reply@localhost")!))
}
