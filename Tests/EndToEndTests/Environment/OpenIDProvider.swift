import Foundation
import World

/// A running oidc-provider-mock, whose users type their address.
struct OpenIDProvider: Sendable {
    let program: Program
    /// The issuer.
    let url: String

    init() async throws {
        program = try Program(
            OtherServers.python, ["-W", "ignore", "-m", "oidc_provider_mock", "--port", "0"], environment: ["NO_COLOR": "1"])
        url = "http://localhost:" + (try await program.first(#/running on http://127\.0\.0\.1:(\d+)/#))
    }

    /// Signs a user in and returns the address that the provider sends the browser to.
    func signIn(_ email: String, at page: String) async throws -> String {
        try await HTTP.post([("sub", email)], to: page).headers["location"] ?? ""
    }
}
