import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// Providers that admins add, change and remove by the API.
@Suite struct `A provider's configuration` {
    private static let path = "/v2/projects/shop/defaultSupportedIdpConfigs"

    private func ask(
        _ api: API, _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, bearer: String = "admin-key"
    ) async throws -> (status: Int, json: JSON) {
        let answer = try #require(
            await api.respond(
                method, path, headers: [.contentType: "application/json", .authorization: "Bearer \(bearer)"], body: body?.bytes ?? []))
        return (answer.status.code, try JSON(answer.body))
    }

    private func signIn(_ api: API) async -> String? {
        let body: JSON = .object(["requestUri": "http://localhost", "postBody": "id_token=x&providerId=google.com"])
        return await api.call("accounts:signInWithIdp", body).json.errorCode
    }

    @Test func `a provider's configuration is in force with the next request`() async throws {
        let api = try await API([.production])
        #expect(await signIn(api) == "OPERATION_NOT_ALLOWED")
        let google: JSON = .object(["clientId": "web.apps.example", "enabled": .bool(true)])
        #expect(try await ask(api, .post, Self.path + "?idpId=google.com", google).status == 200)
        // The provider is offered, and the token is none.
        #expect(await signIn(api) == "INVALID_IDP_RESPONSE")
        let off: JSON = .object(["enabled": .bool(false)])
        #expect(try await ask(api, .patch, Self.path + "/google.com?updateMask=enabled", off).json["enabled"] == .bool(false))
        #expect(await signIn(api) == "OPERATION_NOT_ALLOWED")
        #expect(try await ask(api, .delete, Self.path + "/google.com").status == 200)
        #expect(try await ask(api, .get, Self.path + "/google.com").json.errorCode == "CONFIGURATION_NOT_FOUND")
    }

    /// I13: an admin of a project cannot read a secret of the configuration file.
    @Test func `a provider's configuration tells the secret only to an admin who may write`() async throws {
        let api = try await API([.production])
        let google: JSON = .object(["clientId": "web.apps.example", "clientSecret": "google-secret"])
        #expect(try await ask(api, .post, Self.path + "?idpId=google.com", google).json["clientSecret"] == "google-secret")
        for path in [Self.path, Self.path + "/google.com"] {
            #expect(try await ask(api, .get, path).json.text.contains("google-secret"))
            #expect(try await !ask(api, .get, path, bearer: "admin-key read:shop").json.text.contains("google-secret"))
        }
        // The file's secret may be one that only the operator may see.
        #expect(try await !ask(api, .get, Self.path + "/github.com").json.text.contains("shop-secret"))
    }

    @Test func `a provider's configuration is listed in pages`() async throws {
        let api = try await API([.production])
        for number in 0..<5 {
            let body: JSON = .object(["clientId": "web", "issuer": .string("https://p\(number).example")])
            #expect(try await ask(api, .post, "/v2/projects/shop/oauthIdpConfigs?oauthIdpConfigId=oidc.p\(number)", body).status == 200)
        }
        var (names, token): ([String], String?) = ([], "")
        while let start = token {
            let page = try await ask(
                api, .get, "/v2/projects/shop/oauthIdpConfigs?pageSize=2" + (start.isEmpty ? "" : "&pageToken=\(start)")
            ).json
            guard case .array(let items)? = page["oauthIdpConfigs"] else { break }
            #expect((1...2).contains(items.count))
            names += items.compactMap { $0["name"]?.string }
            token = page["nextPageToken"]?.string
        }
        #expect(names == (["acme"] + (0..<5).map { "p\($0)" }).map { "projects/shop/oauthIdpConfigs/oidc.\($0)" })
    }
}
