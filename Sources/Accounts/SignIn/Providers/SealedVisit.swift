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

    /// - Parameter session: by a secret of the client, which the provider does not get. A stranger
    ///   who sees the page's URL cannot use it. Nil if any client may end the visit, which only
    ///   development allows.
    public func state(for session: VisitSession?, by secrets: Secrets) -> String {
        let members: JSON = .object([
            "project": .string(project.rawValue), "provider": .string(visit.provider), "page": .string(visit.continueURI),
            "return": visit.returnsTo?.json, "nonce": .string(visit.rawNonce), "verifier": .string(visit.codeVerifier),
            "session": .string(ifAny: session?.tag(by: secrets)), "until": .string(String(expiresAt.milliseconds)),
        ])
        return Self.mark + Base64URL.encode(secrets.seal(members.bytes, for: .providerVisit))
    }

    /// The visit of a state that this server made for this project and session, if it is in time.
    public init?(state: String, for sessionID: String, in project: ProjectID, at now: Timestamp, by secrets: Secrets) {
        guard let opened = OpenedState(state, at: now, by: secrets), opened.project == project, opened.isOf(VisitSession(id: sessionID))
        else {
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
    /// The place where this server leads on to; nil if the provider sends the user to the app.
    public let returnsTo: VisitReturn?

    /// Nil if this server did not make the state, or longer than `SealedVisit.lifetime` ago.
    public init?(state: String, at now: Timestamp, by secrets: Secrets) {
        guard let opened = OpenedState(state, at: now, by: secrets) else { return nil }
        (project, provider) = (opened.project, opened.visit.provider)
        (continueURI, returnsTo) = (opened.visit.continueURI, opened.visit.returnsTo)
    }
}

/// A state that this server made and that is in time, of any session.
private struct OpenedState {
    let visit: ProviderVisit
    let project: ProjectID
    let expiresAt: Timestamp
    /// Nil if any session may end the visit.
    private let session: String?
    private let maker: Secrets

    init?(_ state: String, at now: Timestamp, by secrets: Secrets) {
        guard state.hasPrefix(SealedVisit.mark), let sealed = Base64URL.decode(String(state.dropFirst(SealedVisit.mark.count))),
            let maker = secrets.maker(of: sealed), let bytes = try? maker.open(sealed, for: .providerVisit), let json = try? JSON(bytes),
            let provider = json["provider"]?.string, let page = json["page"]?.string, let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string, let project = json["project"]?.string,
            let until = json["until"]?.string.flatMap({ Int64($0) }), now.milliseconds < until
        else { return nil }
        visit = ProviderVisit(
            provider: provider, continueURI: page, returnsTo: json["return"].flatMap { VisitReturn($0) }, rawNonce: nonce,
            codeVerifier: verifier)
        (self.project, expiresAt) = (ProjectID(rawValue: project), Timestamp(milliseconds: until))
        (session, self.maker) = (json["session"]?.string, maker)
    }

    func isOf(_ other: VisitSession) -> Bool { session.map { $0 == other.tag(by: maker) } ?? true }
}

extension VisitSession {
    fileprivate func tag(by secrets: Secrets) -> String {
        Base64URL.encode(secrets.authenticationCode(of: Array(digest.utf8), for: .providerVisit))
    }
}

extension VisitReturn {
    fileprivate var json: JSON {
        switch self {
        case .page(let page): return .string(page)
        case .app(let app):
            let (bundleID, scheme, packageName): (String?, String?, String?) =
                switch app.kind {
                case .apple(let bundleID, let scheme): (bundleID, scheme, nil)
                case .android(let name): (nil, nil, name)
                }
            return .object([
                "event": .string(app.eventID), "type": .string(app.authType), "bundle": .string(ifAny: bundleID),
                "scheme": .string(ifAny: scheme), "package": .string(ifAny: packageName),
            ])
        }
    }

    /// Nil for what `json` did not write.
    fileprivate init?(_ json: JSON) {
        if let page = json.string {
            self = .page(page)
        } else if let event = json["event"]?.string, let type = json["type"]?.string {
            let kind: WaitingApp.Kind
            if let bundleID = json["bundle"]?.string, let scheme = json["scheme"]?.string {
                kind = .apple(bundleID: bundleID, scheme: scheme)
            } else if let name = json["package"]?.string {
                kind = .android(packageName: name)
            } else {
                return nil
            }
            self = .app(WaitingApp(kind, eventID: event, authType: type))
        } else {
            return nil
        }
    }
}
