internal import Accounts
internal import Base
internal import Cryptography
private import Foundation
internal import Network

/// Sign-in by the page of a provider: its URL, and the token for the code that the user comes back
/// with. Source: OpenID Connect Core 1.0 section 3.1, RFC 6749 section 4.1, RFC 7636, RFC 9700.
struct CodeExchange {
    let provider: IdentityProvider
    let endpoints: CodeEndpoints
    let clients: ProviderClients

    /// The parameters that an app cannot set.
    private static let reserved: Set<String> = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "response_mode",
        "request", "request_uri",
    ]

    func page(_ request: ProviderPageRequest) throws(ProviderError) -> String {
        guard let endpoint = endpoints.page else {
            throw .unavailable(cause: "\(provider.url): the discovery document has no authorization_endpoint at an https URL")
        }
        var items = [
            ("response_type", provider.usesCodeFlow ? "code" : "id_token"), ("client_id", provider.clientIDs.first ?? ""),
            ("redirect_uri", request.visit.continueURI), ("scope", scopes(request.scopes)), ("state", request.state),
        ]
        if provider.kind.givesIDTokens { items.append(("nonce", nonce(of: request.visit))) }
        if provider.usesCodeFlow {
            let challenge = HashFunction.sha256.hash(Array(request.visit.codeVerifier.utf8))
            items += [("code_challenge", Base64URL.encode(challenge)), ("code_challenge_method", "S256")]
        }
        // Apple gives the user's name to a form only. A token for the server's own page would be in
        // the fragment, which no server sees.
        if provider.kind == .apple || !provider.usesCodeFlow && request.visit.returnsTo != nil {
            items.append(("response_mode", "form_post"))
        }
        if let hint = request.loginHint { items.append(("login_hint", hint)) }
        items += request.parameters.filter { !Self.reserved.contains($0.name) }
        return endpoint.appending(query: items.map { (name: $0.0, value: $0.1) }).serialized
    }

    /// Each scope once, in the order in which providers list them.
    private func scopes(_ more: [String]) -> String {
        var seen: Set<String> = []
        let usual =
            switch provider.kind {
            case .apple: ["openid", "name", "email"]
            case .facebook: ["public_profile", "email"]
            case .gitHub: ["read:user", "user:email"]
            case .google, .microsoft, .openID: ["openid", "email", "profile"]
            }
        return (usual + more).filter { seen.insert($0).inserted }.joined(separator: " ")
    }

    /// The nonce as SDKs write it: the hash in hexadecimal. A token that this server does not fetch
    /// itself is marked.
    private func nonce(of visit: ProviderVisit) -> String {
        (provider.usesCodeFlow ? "" : TokenClaims.markOfVisits) + HashFunction.sha256.hash(Array(visit.rawNonce.utf8)).hexadecimal
    }

    /// The credential for a code.
    func credential(for code: String, of visit: ProviderVisit, secret: String) async throws(ProviderError) -> ProviderCredential {
        guard let endpoint = endpoints.token else {
            throw .unavailable(cause: "\(provider.url): the discovery document has no token_endpoint at an https URL")
        }
        let client = provider.clientIDs.first ?? ""
        var items = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", visit.continueURI), ("client_id", client),
            ("code_verifier", visit.codeVerifier),
        ]
        var fields = ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"]
        if endpoints.takesPostedSecret {
            items.append(("client_secret", secret))
        } else {
            let pair = "\(WebURL.percentEncoded(client)):\(WebURL.percentEncoded(secret))"
            fields.append("Authorization: Basic \(Data(pair.utf8).base64EncodedString())")
        }
        let form = items.map { "\($0)=\(WebURL.percentEncoded($1))" }.joined(separator: "&")
        let request = TransferRequest(url: endpoint.serialized, fields: fields, body: Array(form.utf8))
        let response = try await clients.send(request, to: provider.server)
        guard let json = try? JSON(response.body, within: SignedToken.limits) else {
            throw .unavailable(cause: "\(provider.url): the response to a code is not JSON")
        }
        // GitHub reports errors with status 200.
        guard response.status == 200, json["error"] == nil else {
            // The registration is at fault, not the user.
            if ["invalid_client", "unauthorized_client", "incorrect_client_credentials"].contains(json["error"]?.string) {
                throw .unavailable(cause: "\(provider.url): it refuses the client id or the client secret")
            }
            throw .refused(.refusedByProvider)
        }
        var credential = ProviderCredential(provider: provider.id)
        (credential.idToken, credential.accessToken) = (json["id_token"]?.string, json["access_token"]?.string)
        return credential
    }
}
