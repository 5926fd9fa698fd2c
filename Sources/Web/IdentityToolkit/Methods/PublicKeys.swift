internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import WebURL

/// What verifiers of tokens must know of the installation; no credential is asked.
enum Publication: Sendable, Hashable {
    /// Source: RFC 7517; also Google's `sessionCookiePublicKeys`.
    case jwks
    /// The same keys as PEM certificates by `kid`, as Google's `publicKeys`.
    case certificates
    /// Source: OpenID Connect Discovery 1.0 section 3.
    case discovery
}

extension Site {
    func answer(with publication: Publication, of project: ProjectID?) async throws(APIError) -> Response {
        let body: [UInt8] =
            switch publication {
            case .jwks: try await APIError.around { () throws(ActionError) in try await accounts.tokens.ring().jwks() }
            case .certificates: try await APIError.around { () throws(ActionError) in try await accounts.tokens.ring().certificates() }
            case .discovery: try discovery(of: project).bytes
            }
        var answer = Response(.ok, "application/json; charset=utf-8", body)
        answer.headers[.cacheControl] = "public, max-age=\(KeySchedule.maxAge.components.seconds)"
        return answer
    }

    /// So that any OpenID library verifies with nothing but the issuer; where the issuer is Google's, Google is asked, not Onward.
    private func discovery(of project: ProjectID?) throws(APIError) -> JSON {
        let names = accounts.tokens.names
        guard let project = project.flatMap({ projects[$0] })?.id, names.issuer == origin.origin else { throw .noSuchPath }
        return .object([
            "issuer": .string(names.issuer(of: project)),
            "jwks_uri": .string(origin.origin + "/.well-known/jwks.json"),
            "response_types_supported": .array(["id_token"]),
            "subject_types_supported": .array(["public"]),
            "id_token_signing_alg_values_supported": .array(["RS256"]),
        ])
    }
}
