import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// F20: second factors in the configuration of a project, as Node's Admin SDK reads and writes it.
@Suite struct `The settings of second factors` {
    private struct Stage {
        let api: API

        init(_ variations: Set<API.Variation> = []) async throws { api = try await API(variations) }

        func change(_ mask: String, _ mfa: JSON) async throws -> JSON {
            let body = JSON.object(["mfa": mfa])
            let response = await api.respond(
                .patch, "/v2/projects/shop/config?updateMask=\(mask)",
                headers: [.contentType: "application/json", .authorization: "Bearer owner"], body: body.bytes)
            return try JSON(response.body)["mfa"] ?? .null
        }

        func start() async throws -> String? {
            let idToken = try await api.tokens(of: "grace").idToken
            return await api.call(
                "accounts/mfaEnrollment:start", version: "v2",
                .object(["idToken": .string(idToken), "totpEnrollmentInfo": .object([])])
            ).json.errorCode
        }
    }

    private static func apps(_ state: String) -> JSON {
        .array([.object(["state": .string(state), "totpProviderConfig": .object([:])])])
    }

    @Test func `turn authenticator apps off and on at once`() async throws {
        let stage = try await Stage()
        #expect(try await stage.start() == nil)
        let off = try await stage.change("mfa.providerConfigs", .object(["providerConfigs": Self.apps("DISABLED")]))
        #expect(off["state"] == "ENABLED" && off["providerConfigs"]?.items?.first?["state"] == "DISABLED")
        #expect(try await stage.start() == "OPERATION_NOT_ALLOWED")
        let on = try await stage.change("mfa.providerConfigs", .object(["providerConfigs": Self.apps("ENABLED")]))
        #expect(on["state"] == "ENABLED" && on["providerConfigs"]?.items?.first?["totpProviderConfig"]?["adjacentIntervals"] == .int(1))
        #expect(try await stage.start() == nil)
    }

    @Test func `turn phones off together with apps`() async throws {
        let stage = try await Stage()
        func start() async throws -> String? {
            let idToken = try await stage.api.tokens(of: "grace").idToken
            let phone = JSON.object(["idToken": .string(idToken), "phoneEnrollmentInfo": .object(["phoneNumber": "+15555550199"])])
            return await stage.api.call("accounts/mfaEnrollment:start", version: "v2", phone).json.errorCode
        }
        #expect(try await start() == nil)
        // Apps alone leave the phones.
        let apps = JSON.object(["providerConfigs": Self.apps("DISABLED")])
        #expect(try await stage.change("mfa.providerConfigs", apps)["state"] == "ENABLED")
        #expect(try await start() == nil)
        #expect(try await stage.change("mfa.state", .object(["state": "DISABLED"]))["state"] == "DISABLED")
        #expect(try await start() == "OPERATION_NOT_ALLOWED")
    }

    @Test func `turn authenticator apps on that the file does not have`() async throws {
        let stage = try await Stage([.withoutSecondFactors])
        #expect(try await stage.start() == "OPERATION_NOT_ALLOWED")
        // A state alone names no factor.
        #expect(try await stage.change("mfa.state", .object(["state": "ENABLED"]))["state"] == "DISABLED")
        _ = try await stage.change("mfa.providerConfigs", .object(["providerConfigs": Self.apps("ENABLED")]))
        #expect(try await stage.start() == nil)
    }

    /// A body without the field takes the change back.
    @Test func `return to those of the file`() async throws {
        let stage = try await Stage()
        _ = try await stage.change("mfa.state", .object(["state": "DISABLED"]))
        #expect(try await stage.start() == "OPERATION_NOT_ALLOWED")
        #expect(try await stage.change("mfa.state", .object([]))["state"] == "ENABLED")
        #expect(try await stage.start() == nil)
    }

    @Test func `leave the factors of users in force`() async throws {
        let stage = try await Stage()
        try await stage.api.world.enrollApp(for: "grace")
        _ = try await stage.change("mfa.state", .object(["state": "DISABLED"]))
        let password = JSON.object(["email": "grace@example.com", "password": .string(API.password)])
        let answer = await stage.api.call("accounts:signInWithPassword", password).json
        #expect(answer["idToken"] == nil && answer["mfaPendingCredential"] != nil)
    }

    @Test func `give recovery codes`() async throws {
        let stage = try await Stage()
        #expect(try await stage.change("mfa.recoveryCodes", .object(["recoveryCodes": .bool(true)]))["recoveryCodes"] == .bool(true))
        let idToken = JSON.object(["idToken": .string(try await stage.api.tokens(of: "grace").idToken)])
        func call(_ method: String, _ more: KeyValuePairs<String, JSON?>) async -> JSON {
            await stage.api.call("accounts/mfaEnrollment:\(method)", version: "v2", idToken.adding(more)).json
        }
        let enrollment = try #require(await call("start", ["totpEnrollmentInfo": .object([])])["totpSessionInfo"])
        let key = try AuthenticatorApp.key(ofBase32: try #require(enrollment["sharedSecretKey"]?.string))
        let code = TOTP(key: key).password(at: stage.api.world.clock.now())
        let done = await call(
            "finalize",
            ["totpVerificationInfo": .object(["sessionInfo": enrollment["sessionInfo"], "verificationCode": .string(code)])])
        #expect(done["recoveryCodes"]?.items?.count == RecoveryCode.countPerFactor)
    }
}
