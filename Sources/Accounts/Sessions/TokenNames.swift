/// The issuer and audience of an installation's tokens. Verifiers compare them with `iss` and
/// `aud`.
public struct TokenNames: Sendable {
    /// The issuer of Firebase's own tokens, which admin SDKs require.
    public static let firebaseIssuer = "https://securetoken.google.com"

    /// The start of `iss`, before `/<project>`.
    public let issuer: String
    private let audience: @Sendable (ProjectID) -> String
    private let alias: @Sendable (ProjectID) -> ProjectID?

    /// - Parameters:
    ///   - issuer: an https URL without a slash at its end.
    ///   - alias: another id that names a project in tokens, in development.
    ///   - audience: the `aud` of a project's tokens; default: the project's id, as with Firebase.
    public init(
        issuer: String = firebaseIssuer, alias: @escaping @Sendable (ProjectID) -> ProjectID? = { _ in nil },
        audience: @escaping @Sendable (ProjectID) -> String = { $0.rawValue }
    ) {
        self.issuer = issuer
        self.alias = alias
        self.audience = audience
    }

    public func issuer(of project: ProjectID) -> String { "\(issuer)/\(alias(project) ?? project)" }

    /// The issuer of session cookies. It differs from that of ID tokens, so that neither is
    /// accepted as the other (T1).
    public func cookieIssuer(of project: ProjectID) -> String {
        let name = alias(project) ?? project
        return issuer == Self.firebaseIssuer ? "https://session.firebase.google.com/\(name)" : "\(issuer)/session/\(name)"
    }

    public func audience(of project: ProjectID) -> String { alias(project)?.rawValue ?? audience(project) }

    /// The names that the tokens had before their projects got aliases.
    var withoutAliases: TokenNames { TokenNames(issuer: issuer, audience: audience) }
}
