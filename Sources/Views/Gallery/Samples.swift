public import Accounts
internal import Base
public import Foundation

/// Every state of every page and mail, with ordinary or with chosen texts: for the gallery of
/// `onward dev`, for `onward self-check` and for tests.
public struct Samples: Sendable {
    /// The text in place of each text of a user, an app or a request; nil: ordinary texts.
    public var words: String?
    public var now: Date
    /// The rules for a new password.
    public var passwordRequirements = PasswordRequirements()
    /// The page that mailed links open.
    public var actionURL = "https://accounts.app.example/__/auth/action"
    /// The app's home page.
    public var homeURL: String? = "https://notes.app.example/"
    public var lifetimes = Lifetimes()

    public init(words: String? = nil, at now: Date) { (self.words, self.now) = (words, now) }

    /// The samples in the settings of a project.
    public init(for project: Project, at now: Date) {
        self.init(at: now)
        (passwordRequirements, lifetimes) = (project.passwordPolicy.requirements, project.lifetimes)
        (actionURL, homeURL) = (project.actionURL.serialized, project.homeURL?.serialized)
    }

    public var account: String { words ?? "ada.lovelace@app.example" }
    public var other: String { words ?? "countess@analytical.example" }
    var factor: String { words ?? "Phone ending in 45" }

    public var form: Form { Form(path: "/__/auth/action", hidden: [.init("oobCode", words ?? "c0de"), .init("formToken", "t0ken")]) }
    var next: ContinueLink { .to(host: words ?? "notes.app.example", url: words ?? "https://notes.app.example/welcome?from=mail&x=1") }

    var recipient: EmailAddress { address("ada.lovelace@app.example") }
    var otherRecipient: EmailAddress { address("countess@analytical.example") }

    /// An address with those characters of the words that addresses may contain.
    func address(_ usual: String) -> EmailAddress {
        let local = words.map { words in
            String(
                String.UnicodeScalarView(
                    words.unicodeScalars.filter { "!#$%&'*+-/=?^_`{|}~abcxyz7".unicodeScalars.contains($0) }.prefix(64)))
        }
        return local.flatMap { EmailAddress("\($0)@app.example") } ?? EmailAddress(usual)!
    }

}
