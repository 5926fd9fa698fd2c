import Accounts
import Base
import Testing
import World
@testable import Web

/// An account with an authenticator app, and the API.
private struct Ada {
    let api: API
    let app: AuthenticatorApp

    init(_ variations: Set<API.Variation> = []) async throws {
        api = try await API(variations)
        app = try await api.world.enrollApp(for: "grace")
    }

    /// Proves the first factor and returns the answer.
    func prove(_ factor: FirstFactor) async throws -> JSON {
        switch factor {
        case .password:
            await api.call("accounts:signInWithPassword", .object(["email": "grace@example.com", "password": .string(API.password)])).json
        case .link:
            await api.call(
                "accounts:signInWithEmailLink",
                .object(["email": "grace@example.com", "oobCode": .string(try await api.code(.signIn, for: "grace").text)])
            ).json
        case .provider, .linkedProvider:
            await api.call(
                "accounts:signInWithIdp",
                .object([
                    "requestUri": "http://localhost",
                    "postBody": """
                    providerId=google.com&id_token=%7B%22sub%22%3A%22g-1%22%2C%22email%22%3A%22grace%40example.com%22%2C%22email_verified%22%3Atrue%7D
                    """,
                ])
            ).json
        }
    }

    func finish(_ answer: JSON, _ code: String) async -> JSON {
        await api.call(
            "accounts/mfaSignIn:finalize", version: "v2",
            .object([
                "mfaPendingCredential": answer["mfaPendingCredential"], "mfaEnrollmentId": "app",
                "totpVerificationInfo": .object(["verificationCode": .string(code)]),
            ])
        ).json
    }
}

enum FirstFactor: CaseIterable { case password, link, provider, linkedProvider }

@Suite struct `A first factor` {
    /// F1, S7: none of them signs in by itself, or changes the account; the code completes each.
    @Test(arguments: FirstFactor.allCases) func `asks for the second`(_ factor: FirstFactor) async throws {
        let ada = try await Ada()
        if factor == .linkedProvider { try await ada.api.link(LinkedProvider(provider: "google.com", rawID: "g-1"), to: "grace") }
        let before = try await ada.api.profile("grace")
        let answer = try await ada.prove(factor)
        #expect(answer["idToken"] == nil && answer["refreshToken"] == nil && answer["localId"] == "grace")
        #expect(answer["mfaInfo"]?.items?.map { $0["mfaEnrollmentId"]?.string } == ["app"])
        let after = try await ada.api.profile("grace")
        #expect(after.account == before.account && after.linkedProviders == before.linkedProviders)

        #expect(await ada.finish(answer, ada.app.wrongCode).errorCode == "INVALID_CODE")
        let tokens = await ada.finish(answer, ada.app.code)
        let lookup = await ada.api.call("accounts:lookup", .object(["idToken": tokens["idToken"]]))
        #expect(lookup.status == 200)
    }

    /// S7, F1: a reset proves the mailbox, which is one factor.
    @Test func `after a password reset asks for the second, too`() async throws {
        let ada = try await Ada()
        let code = try await ada.api.code(.resetPassword, for: "grace")
        let reset = await ada.api.call(
            "accounts:resetPassword", .object(["oobCode": .string(code.text), "newPassword": .string(API.password)]))
        #expect(reset.status == 200 && reset.json["idToken"] == nil)
        let answer = try await ada.prove(.password)
        #expect(answer["idToken"] == nil && answer["mfaPendingCredential"] != nil)
    }

    /// F2: of a phone number only the last four digits are shown.
    @Test func `shows the factors without their secrets`() async throws {
        let ada = try await Ada()
        let phone = SecondFactor(id: "phone", kind: .phone, phoneNumber: "+15555550101", enrolledAt: ada.api.world.clock.now())
        try await ada.api.enroll(phone, for: "grace")
        let factors = try #require(try await ada.prove(.password)["mfaInfo"]?.items)
        #expect(Set(factors.compactMap { $0["phoneInfo"]?.string }) == ["+*******0101"])
        for factor in factors {
            #expect(factor["sealedKey"] == nil && factor["totpInfo"] == (factor["phoneInfo"] == nil ? .object([]) : nil))
        }
    }
}

@Suite struct `A session after a second factor` {
    /// F1: a session that replaces it has the same second factor, so the user is not asked again.
    @Test func `is replaced by one with the same factor`() async throws {
        let ada = try await Ada()
        let tokens = await ada.finish(try await ada.prove(.password), ada.app.code)
        let update = await ada.api.call(
            "accounts:update", .object(["idToken": tokens["idToken"], "password": "another password", "returnSecureToken": .bool(true)]))
        #expect(update.status == 200)
        let idToken = try #require(update.json["idToken"]?.string)
        #expect(try await ada.api.user(behind: idToken).secondFactor?.id == "app")
    }
}
