internal import Accounts
internal import Base
internal import HTTPTypes

/// The documents that verifiers of tokens read, without a credential.
enum Publication: Sendable, Hashable {
    /// The public keys as a JSON Web Key Set. Source: RFC 7517; also Google's
    /// `sessionCookiePublicKeys`.
    case jwks
    /// The public keys as PEM certificates by `kid`, as Google's `publicKeys`.
    case certificates
    /// The discovery document of a project. Source: OpenID Connect Discovery 1.0 section 3.
    case discovery
}

extension IdentityToolkit {
    func response(with publication: Publication, of project: ProjectID?) async throws(RequestError) -> Response {
        let body: [UInt8] =
            switch publication {
            case .jwks: try await RequestError.wrapping { () throws(ActionError) in try await accounts.tokens.ring().jwks() }
            case .certificates:
                try await RequestError.wrapping { () throws(ActionError) in try await accounts.tokens.ring().certificates() }
            case .discovery: try discovery(of: project).bytes
            }
        var response = Response(.ok, "application/json; charset=utf-8", body)
        response.headers[.cacheControl] = "public, max-age=\(KeySchedule.maxAge.components.seconds)"
        return response
    }

    /// The metadata that an OpenID library needs to verify tokens of an issuer. If tokens have
    /// Google's issuer, libraries ask Google.
    private func discovery(of project: ProjectID?) throws(RequestError) -> JSON {
        let names = accounts.tokens.names
        guard let project = project.flatMap({ projects.value[$0] })?.id, names.issuer == origin.origin else { throw .notFound }
        return .object([
            "issuer": .string(names.issuer(of: project)),
            "jwks_uri": .string(origin.origin + "/.well-known/jwks.json"),
            "response_types_supported": .array(["id_token"]),
            "subject_types_supported": .array(["public"]),
            "id_token_signing_alg_values_supported": .array(["RS256"]),
        ])
    }
}
