public import Base

/// A visit to a provider's page, as the provider hands it back in `state`: sealed, for a quarter of
/// an hour, for one project and the session of one client. Nothing is stored.
public struct SealedVisit: Sendable {
    public let visit: ProviderVisit
    public let project: ProjectID
    public let expiresAt: Timestamp

    public static let lifetime = Duration.seconds(900)

    public init(_ visit: ProviderVisit, in project: ProjectID, at now: Timestamp) {
        (self.visit, self.project, expiresAt) = (visit, project, now + Self.lifetime)
    }

    /// - Parameter sessionID: a secret of the client, which the provider does not get. A stranger
    ///   who sees the page's URL cannot use it.
    public func state(for sessionID: String, by secrets: Secrets) -> String {
        let session = secrets.authenticationCode(of: Array(sessionID.utf8), for: .providerVisit)
        let members: JSON = .object([
            "project": .string(project.rawValue), "provider": .string(visit.provider), "page": .string(visit.continueURI),
            "nonce": .string(visit.rawNonce), "verifier": .string(visit.codeVerifier), "session": .string(Base64URL.encode(session)),
            "until": .string(String(expiresAt.milliseconds)),
        ])
        return Base64URL.encode(secrets.seal(members.bytes, for: .providerVisit))
    }

    /// The visit of a state that this server made for this project and session, if it is in time.
    public init?(state: String, for sessionID: String, in project: ProjectID, at now: Timestamp, by secrets: Secrets) {
        guard let sealed = Base64URL.decode(state), let maker = secrets.maker(of: sealed),
            let bytes = try? maker.open(sealed, for: .providerVisit), let json = try? JSON(bytes),
            let provider = json["provider"]?.string, let page = json["page"]?.string, let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string, let session = json["session"]?.string,
            let until = json["until"]?.string.flatMap({ Int64($0) }), json["project"]?.string == project.rawValue,
            session == Base64URL.encode(maker.authenticationCode(of: Array(sessionID.utf8), for: .providerVisit)),
            now.milliseconds < until
        else { return nil }
        visit = ProviderVisit(provider: provider, continueURI: page, rawNonce: nonce, codeVerifier: verifier)
        self.project = project
        expiresAt = Timestamp(milliseconds: until)
    }
}
