import Accounts

/// The parts of `onward dev` that no configuration has.
struct DevelopmentOptions: Sendable {
    /// The project that every API key belongs to.
    var sample: Project
    /// Whether the first other project id that is named becomes another name of the sample.
    var adoptsName = false
    /// The id that the sample got in an earlier run.
    var alias: ProjectID?
    /// Keeps the id that the sample gets.
    var keepAlias: @Sendable (ProjectID) -> Void = { _ in }
    var tokens = Installation.TokenStyle.unsigned
    /// Whether pages of every website may be admin.
    var trustsEveryOrigin = false
    /// Whether other machines can connect.
    var listensBeyondLoopback = false
    var passwordRules = DevPasswordRules.firebase
    /// The file with the issued codes; nil: they are lost when the process ends.
    var codesFile: String?
}

/// The rules for passwords that `onward dev` applies.
enum DevPasswordRules: String, Sendable, CaseIterable {
    /// Firebase's: six characters. The test suites of apps rely on them.
    case firebase
    /// The rules of `onward serve`.
    case production

    /// The remark of the start text.
    var remark: String {
        switch self {
        case .firebase: "Passwords need six characters, as with Firebase; onward serve is stricter (--password-rules production)."
        case .production: "Passwords have the rules of onward serve."
        }
    }
}
