public import Base

/// A visit to a provider's page, as the provider hands it back in `state`: sealed, for a quarter of
/// an hour, for one project and the session of one client. Nothing is stored.
public struct SealedVisit: Sendable {
    public let visit: ProviderVisit
    public let project: ProjectID
    public let expiresAt: Timestamp

    public static let lifetime = Duration.seconds(900)
    /// Begins each state, so that `/onward.js` leaves those of other libraries alone.
    public static let mark = "onward."

    public init(_ visit: ProviderVisit, in project: ProjectID, at now: Timestamp) {
        (self.visit, self.project, expiresAt) = (visit, project, now + Self.lifetime)
    }

    /// - Parameter sessionID: a secret of the client, which the provider does not get. A stranger
    ///   who sees the page's URL cannot use it.
    public func state(for sessionID: String, by secrets: Secrets) -> String {
        let session = secrets.authenticationCode(of: Array(sessionID.utf8), for: .providerVisit)
        let members: JSON = .object([
            "project": .string(project.rawValue), "provider": .string(visit.provider), "page": .string(visit.continueURI),
            "return": .string(ifAny: visit.returnURI), "nonce": .string(visit.rawNonce), "verifier": .string(visit.codeVerifier),
            "session": .string(Base64URL.encode(session)), "until": .string(String(expiresAt.milliseconds)),
        ])
        return Self.mark + Base64URL.encode(secrets.seal(members.bytes, for: .providerVisit))
    }

    /// The visit of a state that this server made for this project and session, if it is in time.
    public init?(state: String, for sessionID: String, in project: ProjectID, at now: Timestamp, by secrets: Secrets) {
        guard let opened = OpenedState(state, at: now, by: secrets), opened.project == project, opened.isOfSession(sessionID) else {
            return nil
        }
        (visit, self.project, expiresAt) = (opened.visit, project, opened.expiresAt)
    }
}

/// The way back of a visit of any client. It proves nothing about the user: a state can be that of
/// another.
public struct VisitRoute: Sendable {
    public let provider: String
    public let project: ProjectID
    /// The page that the provider sends the user back to.
    public let continueURI: String
    /// The page of the app that this server leads on to; nil if the provider sends the user there.
    public let returnURI: String?

    /// Nil if this server did not make the state, or longer than `SealedVisit.lifetime` ago.
    public init?(state: String, at now: Timestamp, by secrets: Secrets) {
        guard let opened = OpenedState(state, at: now, by: secrets) else { return nil }
        (project, provider) = (opened.project, opened.visit.provider)
        (continueURI, returnURI) = (opened.visit.continueURI, opened.visit.returnURI)
    }
}

/// A state that this server made and that is in time, of any session.
private struct OpenedState {
    let visit: ProviderVisit
    let project: ProjectID
    let expiresAt: Timestamp
    private let session: String
    private let maker: Secrets

    init?(_ state: String, at now: Timestamp, by secrets: Secrets) {
        guard state.hasPrefix(SealedVisit.mark), let sealed = Base64URL.decode(String(state.dropFirst(SealedVisit.mark.count))),
            let maker = secrets.maker(of: sealed), let bytes = try? maker.open(sealed, for: .providerVisit), let json = try? JSON(bytes),
            let provider = json["provider"]?.string, let page = json["page"]?.string, let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string, let session = json["session"]?.string, let project = json["project"]?.string,
            let until = json["until"]?.string.flatMap({ Int64($0) }), now.milliseconds < until
        else { return nil }
        visit = ProviderVisit(
            provider: provider, continueURI: page, returnURI: json["return"]?.string, rawNonce: nonce, codeVerifier: verifier)
        (self.project, expiresAt) = (ProjectID(rawValue: project), Timestamp(milliseconds: until))
        (self.session, self.maker) = (session, maker)
    }

    func isOfSession(_ id: String) -> Bool {
        session == Base64URL.encode(maker.authenticationCode(of: Array(id.utf8), for: .providerVisit))
    }
}
