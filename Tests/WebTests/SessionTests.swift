import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `A session` {
    /// T7: the holder of a refresh token is told why its session ended, and a stranger learns
    /// nothing.
    @Test func `ends when the password changes, and a new one starts`() async throws {
        let api = try await API()
        let old = try await api.tokens(of: "ada", signedInAgo: .seconds(1))
        let update = await api.call("accounts:update", .object(["idToken": .string(old.idToken), "password": "another password"]))
        #expect(update.status == 200)
        let idToken = try #require(update.json["idToken"])
        #expect(await api.call("accounts:lookup", .object(["idToken": .string(old.idToken)])).json.errorCode == "TOKEN_EXPIRED")
        #expect(await api.call("accounts:lookup", .object(["idToken": idToken])).status == 200)
        #expect(await renew(old.refreshToken, api).json.errorCode == "TOKEN_EXPIRED")
        #expect(await renew(update.json["refreshToken"]?.string ?? "", api).status == 200)
    }

    /// The JavaScript SDK's `unlink` gets no new tokens and keeps using its old ones. Links that
    /// were sent end all the same (C12).
    @Test func `continues if its own account unlinks the password`() async throws {
        let api = try await API()
        let held = try await api.tokens(of: "ada")
        let code = try await api.code(.resetPassword, for: "ada")
        let body: JSON = .object(["idToken": .string(held.idToken), "deleteProvider": .array(["password"])])
        let update = await api.call("accounts:update", body)
        #expect(update.status == 200 && update.json["idToken"] == nil)
        #expect(await api.call("accounts:lookup", .object(["idToken": .string(held.idToken)])).status == 200)
        #expect(await renew(held.refreshToken, api).status == 200)
        #expect(try await api.stored("ada")?.passwordHash == nil)
        let reset: JSON = .object(["oobCode": .string(code.text), "newPassword": "a quiet long phrase"])
        #expect(await api.call("accounts:resetPassword", reset).json.errorCode == "INVALID_OOB_CODE")
    }

    /// An account from a custom token has no address either, but is not anonymous: an old token
    /// must not give it a password.
    @Test func `by a custom token is not an anonymous one`() async throws {
        let api = try await API([.production])
        let old = try await api.tokens(of: "nobody", signedInAgo: .minutes(6), by: .custom)
        let body: JSON = .object(["idToken": .string(old.idToken), "email": "n@example.com", "password": "another password"])
        #expect(await api.call("accounts:signUp", body).json.errorCode == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        let anonymous = try await api.tokens(of: "nobody", signedInAgo: .minutes(6))
        let own: JSON = .object(["idToken": .string(anonymous.idToken), "email": "n@example.com", "password": "another password"])
        #expect(await api.call("accounts:signUp", own).status == 200)
    }

    /// An old token gives no account an address, also none that has no address, or has lost it by
    /// the same token.
    @Test(arguments: ["ada", "nobody"]) func `that is old adds no address by a link`(id: String) async throws {
        let api = try await API([.production])
        let old = try await api.tokens(of: id, signedInAgo: .minutes(6), by: id == "ada" ? .password : .custom)
        if id == "ada" {
            let body: JSON = .object(["idToken": .string(old.idToken), "deleteProvider": .array(["password"])])
            _ = await api.call("accounts:update", body)
        }
        let request = CodeRequest(.signIn, for: .address(EmailAddress("evil@app.example")!), with: ApprovedSettings(in: api.world.project))
        let code = try #require(try await api.world.accounts.send(request)?.code)
        let body: JSON = .object(["idToken": .string(old.idToken), "email": "evil@app.example", "oobCode": .string(code.text)])
        #expect(await api.call("accounts:signInWithEmailLink", body).json.errorCode == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        #expect(try await api.stored(id)?.email?.value != "evil@app.example")
    }

    @Test func `of a disabled account is refused as such, whenever it started`() async throws {
        let api = try await API()
        let old = try await api.tokens(of: "ada", signedInAgo: .seconds(1))
        let headers: HTTPFields = [.authorization: "Bearer owner"]
        let code = try await api.code(.signIn, for: "ada")
        let disable: JSON = .object(["localId": "ada", "disableUser": .bool(true)])
        #expect(await api.call("accounts:update", disable, headers: headers).status == 200)
        #expect(await api.call("accounts:lookup", .object(["idToken": .string(old.idToken)])).json.errorCode == "USER_DISABLED")
        let byLink: JSON = .object(["email": "ada@example.com", "oobCode": .string(code.text)])
        #expect(await api.call("accounts:signInWithEmailLink", byLink).json.errorCode == "USER_DISABLED")
        _ = await api.call("accounts:update", .object(["localId": "ada", "disableUser": .bool(false)]), headers: headers)
        #expect(await api.call("accounts:signInWithEmailLink", byLink).json.errorCode == "INVALID_OOB_CODE")
    }

    /// S6: a reset ends all older sessions and tokens at once.
    @Test func `ends with a reset`() async throws {
        let api = try await API()
        let old = try await api.tokens(of: "ada", signedInAgo: .seconds(1))
        let code = try await api.code(.resetPassword, for: "ada")
        let reset = await api.call("accounts:resetPassword", .object(["oobCode": .string(code.text), "newPassword": "a new password"]))
        #expect(reset.status == 200 && reset.json["idToken"] == nil)
        #expect(await renew(old.refreshToken, api).json.errorCode == "TOKEN_EXPIRED")
        #expect(await api.call("accounts:lookup", .object(["idToken": .string(old.idToken)])).json.errorCode == "TOKEN_EXPIRED")
        let signIn = await api.call("accounts:signInWithPassword", .object(["email": "ada@example.com", "password": "a new password"]))
        #expect(signIn.status == 200)
    }

    /// An attacker who signed up with another user's address loses access when its owner proves it.
    @Test func `by link removes a password that was set before the proof`() async throws {
        let api = try await API()
        let squatter = try await api.tokens(of: "ada", signedInAgo: .seconds(1))
        let code = try await api.code(.signIn, for: "ada")
        let link = await api.call("accounts:signInWithEmailLink", .object(["email": "ada@example.com", "oobCode": .string(code.text)]))
        #expect(link.status == 200)
        let account = try #require(try await api.stored("ada"))
        #expect(account.passwordHash == nil && account.emailVerified && account.emailLinkSignIn)
        #expect(await renew(squatter.refreshToken, api).json.errorCode == "TOKEN_EXPIRED")
    }

    @Test func `of a verified account keeps its password beside the link`() async throws {
        let api = try await API()
        let code = try await api.code(.signIn, for: "grace")
        let link = await api.call("accounts:signInWithEmailLink", .object(["email": "grace@example.com", "oobCode": .string(code.text)]))
        #expect(link.status == 200)
        #expect(try await api.stored("grace")?.passwordHash != nil)
    }

    /// S8: the old address is notified and can undo the change.
    @Test func `that takes the address of a link notifies the old address`() async throws {
        let api = try await API()
        let (idToken, code) = (try await api.tokens(of: "grace").idToken, try await api.code(.signIn, for: "new"))
        let link = await api.call(
            "accounts:signInWithEmailLink",
            .object(["idToken": .string(idToken), "email": "new@example.com", "oobCode": .string(code.text)]))
        #expect(link.json["localId"] == "grace")
        let mails = try await api.world.mails()
        #expect(mails.map(\.kind) == [.action(.recoverEmail)] && mails.map(\.to) == ["grace@example.com"])
    }

    /// As in the emulator: an address alone proves nothing.
    @Test func `of an anonymous account stays anonymous until it has a password`() async throws {
        let api = try await API()
        var idToken = try await api.tokens(of: "nobody").idToken
        for (change, provider) in [("email", SignInProvider.anonymous), ("password", .password)] {
            let value: JSON = change == "email" ? "n@example.com" : "another password"
            let answer = await api.call("accounts:update", .object(["idToken": .string(idToken), "\(change)": value]))
            idToken = try #require(answer.json["idToken"]?.string)
            #expect(try await api.user(behind: idToken).provider == provider)
        }
    }

    /// S6: a client ends its own account's sessions on all devices.
    @Test func `ends by validSince, on every other device`() async throws {
        let api = try await API()
        let (own, other) = (try await api.tokens(of: "ada"), try await api.tokens(of: "ada"))
        let answer = await api.call("accounts:update", .object(["idToken": .string(own.idToken), "validSince": "1"]))
        for token in [own.refreshToken, other.refreshToken] {
            #expect(await renew(token, api).json.errorCode == "TOKEN_EXPIRED")
        }
        #expect(await renew(answer.json["refreshToken"]?.string ?? "", api).status == 200)
    }

    /// T7: the holder of a refresh token is told why its session ended, and a stranger learns
    /// nothing.
    @Test func `is renewed in its own project only`() async throws {
        let api = try await API()
        let body = JSON.object(["grantType": "refresh_token", "refreshToken": .string(try await api.tokens(of: "ada").refreshToken)])
        let foreign = await api.respond(
            .post, "/v1/token?key=onward-dev-other", headers: [.contentType: "application/json"], body: body.bytes)
        #expect(try JSON(foreign.body).errorCode == "INVALID_REFRESH_TOKEN")
    }

    /// A call in which the SDK silently replaces its session.
    enum Replacing: String, Sendable, CaseIterable {
        case password, email, validSince, signUp, provider, link, phone

        func call(_ api: API, _ idToken: JSON?) async throws -> (status: Int, json: JSON) {
            switch self {
            case .password: await api.call("accounts:update", .object(["idToken": idToken, "password": "another password"]))
            case .email: await api.call("accounts:update", .object(["idToken": idToken, "email": "new@example.com"]))
            case .validSince: await api.call("accounts:update", .object(["idToken": idToken, "validSince": "1"]))
            case .signUp:
                await api.call(
                    "accounts:signUp", .object(["idToken": idToken, "email": "ada@example.com", "password": "another password"]))
            case .provider:
                await api.call(
                    "accounts:signInWithIdp",
                    .object([
                        "idToken": idToken, "requestUri": "http://localhost",
                        "postBody": "providerId=google.com&id_token=%7B%22sub%22%3A%22g-1%22%7D",
                    ]))
            case .link:
                await api.call(
                    "accounts:signInWithEmailLink",
                    .object([
                        "idToken": idToken, "email": "ada@example.com", "oobCode": .string(try await api.code(.signIn, for: "ada").text),
                    ]))
            case .phone:
                await api.call(
                    "accounts:signInWithPhoneNumber",
                    .object([
                        "idToken": idToken, "code": "123456",
                        "sessionInfo": await api.call("accounts:sendVerificationCode", .object(["phoneNumber": "+16505550100"])).json[
                            "sessionInfo"],
                    ]))
            }
        }
    }

    /// T8: the user stays who the app's server said.
    @Test(arguments: Replacing.allCases)
    func `that replaces another keeps its developer claims`(_ replacing: Replacing) async throws {
        let api = try await API()
        let token = #"{"uid":"ada","claims":{"plan":"gold"}}"#
        let signedIn = await api.call("accounts:signInWithCustomToken", .object(["token": .string(token)]))
        let answer = try await replacing.call(api, signedIn.json["idToken"])
        let renewed = await renew(try #require(answer.json["refreshToken"]?.string, "\(answer.json.text)"), api)
        for idToken in [answer.json["idToken"], renewed.json["id_token"]] {
            let claims = try await api.site.identityToolkit.accounts.tokens.verify(#require(idToken?.string), for: api.world.project.id)
            #expect(claims.claims["plan"] == .string("gold"))
        }
    }

    /// T8: its ID token, too, and no session takes its place.
    @Test func `that ended because its token was stolen does not come back`() async throws {
        let api = try await API()
        let held = try await api.tokens(of: "ada")
        let next = await renew(held.refreshToken, api)
        #expect(await renew(try #require(next.json["refresh_token"]?.string), api).status == 200)
        api.world.clock.advance(by: RefreshTokenRecord.grace + .seconds(1))
        #expect(await renew(held.refreshToken, api).json.errorCode == "TOKEN_EXPIRED")
        for idToken in [held.idToken, try #require(next.json["id_token"]?.string)] {
            let update = await api.call("accounts:update", .object(["idToken": .string(idToken), "password": "another password"]))
            #expect(update.json.errorCode == "TOKEN_EXPIRED")
        }
    }

    private func renew(_ token: String, _ api: API) async -> (status: Int, json: JSON) {
        await api.call("token", .object(["grant_type": "refresh_token", "refresh_token": .string(token)]))
    }
}
