/// The issuer and audience of an installation's tokens, with which verifiers compare `iss` and
/// `aud`.
package struct TokenNames: Sendable {
    /// The issuer of Firebase's own tokens, which admin SDKs require.
    package static let firebaseIssuer = "https://securetoken.google.com"

    /// The start of `iss`, before `/<project>`.
    package let issuer: String
    private let audience: @Sendable (ProjectID) -> String

    /// - Parameters:
    ///   - issuer: an https URL without a slash at its end.
    ///   - audience: the `aud` of a project's tokens; default: the project's id, as with Firebase.
    package init(issuer: String = firebaseIssuer, audience: @escaping @Sendable (ProjectID) -> String = { $0.rawValue }) {
        self.issuer = issuer
        self.audience = audience
    }

    package func issuer(of project: ProjectID) -> String { "\(issuer)/\(project)" }

    /// The issuer of session cookies. It differs from that of ID tokens, so that neither is
    /// accepted as the other (T1).
    package func cookieIssuer(of project: ProjectID) -> String {
        issuer == Self.firebaseIssuer ? "https://session.firebase.google.com/\(project)" : "\(issuer)/session/\(project)"
    }

    package func audience(of project: ProjectID) -> String { audience(project) }
}
