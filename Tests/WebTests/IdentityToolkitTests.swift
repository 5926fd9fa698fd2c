import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `The API` {
    @Test(arguments: ["", "/identitytoolkit.googleapis.com"])
    func `the API is where SDKs look for it, with Google's host and without`(_ host: String) async throws {
        let api = try await API()
        let answer = await api.respond(
            .post, "\(host)/v1/accounts:lookup?key=x", headers: [.contentType: "application/json; charset=utf-8"], body: Array("{}".utf8))
        #expect(try JSON(answer.body).errorCode == "MISSING_ID_TOKEN")
    }

    @Test(arguments: ["*/*", "application/json", nil])
    func `the API says in development that it is ready, to clients that do not ask for HTML`(
        accept: String?
    ) async throws {
        let api = try await API()
        var head = HTTPRequest(method: .get, scheme: "https", authority: "auth.example", path: "/")
        head.headerFields[.accept] = accept
        let (_, body) = await api.site.respond(to: head, [], from: "::1", through: .front)
        #expect(try JSON(body)["authEmulator"]?["ready"] == .bool(true))
    }

    @Test(arguments: [
        "/", "/v1", "/v1accounts:lookup", "/__/auth/action", "/inbox", "/healthz", "/.well-known/assetlinks.json", "/emulator",
        "//v1/projects",
        "/identitytoolkit.googleapis.com.evil.example/v1/projects",
    ])
    func `the API has no other paths`(_ path: String) async throws {
        #expect(try await API().site.identityToolkit.owns(path, RouteTable.match(path)) == false)
    }

    @Test(arguments: ["/emulator/v1/projects/shop/oobCodes", "/emulator/v1/projects/shop/config"])
    func `the emulator has no paths in production`(_ path: String) async throws {
        #expect(try await API([.production]).respond(.get, path).status == .notFound)
        #expect(try await API().respond(.get, path).status == .ok)
    }

    @Test(arguments: [
        "/v1/", "/v1/accounts", "/v1//accounts:lookup", "/v1/accounts:lookup/", "/v1/projects/", "/v1/projects/shop",
        "/v1/projects//accounts",
        "/v1/projects/a%2Fb/accounts", "/v1/projects/shop:lookup",
        "/v1/projects/{project}/accounts", "/v2/projects/shop",
        "/v2/accounts:lookup", "/v1/accounts%3Alookup",
        "/identitytoolkit.googleapis.com//v1/projects", "/emulator/v1/projects/shop", "/emulator/v1/projects/shop/oobCodes/",
    ])
    func `the API has no path that only resembles one of its own`(_ path: String) async throws {
        #expect(await (try API()).respond(.get, path).status == .notFound)
    }

    /// P2, P4, P5: on every status.
    @Test(arguments: [
        (HTTPRequest.Method.get, "/v1/projects?key=x"), (.get, "/v1/projects"), (.get, "/v1/nothing"), (.post, "/v1/projects?key=x"),
        (.options, "/v1/projects"), (.post, "/v1/accounts:lookup?key=x"),
    ])
    func `the API has strict headers`(_ method: HTTPRequest.Method, _ path: String) async throws {
        let headers = await (try API()).respond(method, path).headers
        #expect(headers[.xFrameOptions] == "DENY" && headers[.xContentTypeOptions] == "nosniff" && headers[.cacheControl] == "no-store")
        #expect(headers[.referrerPolicy] == "no-referrer" && headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        #expect(headers[.vary] == "Origin, Access-Control-Request-Headers" && headers[.accessControlAllowOrigin] == nil)
    }

    /// A form or a text sent by a page of another origin is not a call, even if it is JSON (P1).
    @Test(arguments: ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", "application/json-p", ""])
    func `the API accepts only JSON`(_ type: String) async throws {
        let body = Array(#"{"email":"new@example.com","password":"a long password"}"#.utf8)
        let answer = await (try API()).respond(.post, "/v1/accounts:signUp?key=x", headers: [.contentType: type], body: body)
        #expect(answer.status == .badRequest)
    }
}

@Suite struct `A code by the API` {
    /// C3: exactly one of many callers at once.
    @Test func `a code by the API works for one of fifty callers`() async throws {
        let api = try await API()
        let code = try await api.code(.verifyEmail, for: "ada").text
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { await api.call("accounts:update", .object(["oobCode": .string(code)])).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 400 }.count == 49)
    }

    /// L1: the origin of a generated link comes from the configuration, never from a request.
    @Test(arguments: [
        "Forwarded", "X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Proto", "X-Original-Host", "X-Original-URL", "X-Rewrite-URL",
        "X-Host", "X-HTTP-Host-Override", "Origin", "Referer",
    ])
    func `a code by the API is mailed in a link whose origin no header field changes`(_ name: String) async throws {
        let api = try await API()
        let field = try #require(HTTPField.Name(name))
        for value in ["evil.example", "https://evil.example/", "host=evil.example;proto=http", "http"] {
            let body = JSON.object(["requestType": "VERIFY_EMAIL", "idToken": .string(try await api.tokens(of: "ada").idToken)])
            let answer = await api.respond(
                .post, "/v1/accounts:sendOobCode?key=shop-key", headers: [.contentType: "application/json", field: value], body: body.bytes)
            #expect(answer.status == .ok)
        }
        let links = try await api.world.mails().compactMap(\.link)
        #expect(links.count == 4 && links.allSatisfy { $0.hasPrefix("https://auth.example/__/auth/action?") })
    }

    /// C6: only a press of the button applies a code. S9: a refused new password leaves the code
    /// usable.
    @Test func `a code by the API survives inspections and weak passwords`() async throws {
        let api = try await API()
        let code = JSON.string(try await api.code(.resetPassword, for: "ada").text)
        for _ in 0..<5 {
            #expect(await api.call("accounts:resetPassword", .object(["oobCode": code])).status == 200)
            let weak = await api.call("accounts:resetPassword", .object(["oobCode": code, "newPassword": "12345"]))
            #expect(weak.json.errorCode == "WEAK_PASSWORD")
        }
        #expect(await api.call("accounts:resetPassword", .object(["oobCode": code, "newPassword": "a new password"])).status == 200)
        #expect(await api.call("accounts:resetPassword", .object(["oobCode": code])).json.errorCode == "INVALID_OOB_CODE")
    }

    /// C10: in every other project it is unknown and stays live.
    @Test func `a code by the API is unknown in another project`() async throws {
        let api = try await API()
        let body = JSON.object(["oobCode": .string(try await api.code(.verifyEmail, for: "ada").text)])
        let other = await api.respond(
            .post, "/v1/accounts:update?key=onward-dev-other", headers: [.contentType: "application/json"], body: body.bytes)
        #expect(try JSON(other.body).errorCode == "INVALID_OOB_CODE")
        #expect(await api.call("accounts:update", body).status == 200)
    }

    /// B1: with hidden accounts, responses do not depend on whether the account exists; only the
    /// mailbox differs.
    @Test(arguments: ["PASSWORD_RESET", "EMAIL_SIGNIN"])
    func `a code by the API is requested without learning which accounts exist`(_ type: String) async throws {
        let api = try await API([.hidesAccounts])
        func ask(_ email: String) async throws -> Response {
            let body = JSON.object(["requestType": .string(type), "email": .string(email), "continueUrl": "https://app.example/"])
            return await api.respond(.post, "/v1/accounts:sendOobCode?key=x", headers: [.contentType: "application/json"], body: body.bytes)
        }
        let (known, disabled, unknown) = (
            try await ask("ada@example.com"), try await ask("eve@example.com"), try await ask("xyz@example.com")
        )
        #expect(known.status == unknown.status && known.headers == unknown.headers && known.body.count == unknown.body.count)
        #expect(known.status == disabled.status && known.headers == disabled.headers && known.body.count == disabled.body.count)
        let recipients = Set(try await api.world.mails().map(\.to))
        #expect(recipients == (type == "PASSWORD_RESET" ? ["ada@example.com"] : ["ada@example.com", "xyz@example.com"]))
    }

    @Test func `a code by the API is mailed with all its settings, in the client's language`() async throws {
        let api = try await API()
        let body = JSON.object([
            "requestType": "PASSWORD_RESET", "email": "ada@example.com", "continueUrl": "https://app.example/done",
            "canHandleCodeInApp": .bool(true),
            "iOSBundleId": "com.example.shop", "androidPackageName": "com.example.shop", "androidInstallApp": .bool(true),
            "androidMinimumVersionCode": .number("12"), "linkDomain": "links.example",
        ])
        #expect(await api.call("accounts:sendOobCode", body, headers: [.firebaseLocale: "ar"]).status == 200)
        let link = try #require(try await api.world.mails().first?.link)
        #expect(link.hasPrefix("https://links.example/__/auth/links?link="))
        for part in ["com.example.shop", "12", "lang%3Dar", "mode%3DresetPassword"] { #expect(link.contains(part), "\(part) in \(link)") }
    }

    @Test(arguments: [
        ("pt_BR", "pt-BR"), ("pt_BR.UTF-8", "pt-BR"), ("ar_SA@calendar=islamic;numbers=latn", "ar-SA"), ("de_DE@currency=USD", "de-DE"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr-CH"), ("en;q=0.3, ja;q=0.9", "ja"), ("*, sv", "sv"),
    ])
    func `a code by the API is mailed in the client's language however its library writes it`(locale: String, tag: String) async throws {
        let api = try await API()
        let body = JSON.object(["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        #expect(await api.call("accounts:sendOobCode", body, headers: [.firebaseLocale: locale]).status == 200)
        #expect(try await api.world.mails().first?.link?.contains("lang=\(tag)&") == true)
    }

    /// P8, P9: a locale is a tag or nothing.
    @Test(arguments: ["../../etc/passwd", "e", "ar\u{2028}", String(repeating: "a", count: 36), "<b>"])
    func `a code by the API is mailed in the project's language if the client's is not a language tag`(_ locale: String) async throws {
        let api = try await API()
        let body = JSON.object(["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        #expect(await api.call("accounts:sendOobCode", body, headers: [.firebaseLocale: locale]).status == 200)
        #expect(try await api.world.mails().first?.link?.contains("lang=en&") == true)
    }
}

@Suite struct `An account by the API` {
    /// Pages that SDKs run on. They are never opened, so they need not be authorised.
    @Test(arguments: [
        "http://www.google.com/", "http://localhost", "http://localhost:3000/#/login", "http://192.168.1.5:8081/index.html?a=b#c",
        "https://elsewhere.example/", "http://[::1]:5000/", "https://user-content.example/x%20y", "capacitor://localhost",
        "https://shop.example/search?q=50%", "https://a_b.example/", "file:///android_asset/index.html", "chrome-extension://a/popup.html",
    ])
    func `an account by the API tells its sign-in methods to any page`(_ page: String) async throws {
        let api = try await API()
        let answer = await api.call("accounts:createAuthUri", .object(["identifier": "ada@example.com", "continueUri": .string(page)]))
        #expect(answer.status == 200)
    }

    @Test(arguments: ["shop.example/a", "/a", "//shop.example", "1a:x", ":x", "https://a.example/" + String(repeating: "a", count: 8_000)])
    func `an account by the API tells nothing to a text that is not an absolute URL`(_ page: String) async throws {
        let api = try await API()
        let answer = await api.call("accounts:createAuthUri", .object(["identifier": "ada@example.com", "continueUri": .string(page)]))
        #expect(answer.json.errorCode == "INVALID_CONTINUE_URI")
    }

    /// The page is not read without the session of an earlier `createAuthUri`.
    @Test(arguments: ["http://localhost", "https://shop.example/search?q=50%", "file:///android_asset/index.html"])
    func `an account by the API signs in with a provider's credential on any page`(_ page: String) async throws {
        let api = try await API()
        let credential =
            "providerId=google.com&id_token=%7B%22sub%22%3A%22g-new%22%2C%22email%22%3A%22new%40example.com%22%2C%22email_verified%22%3Atrue%7D"
        let answer = await api.call("accounts:signInWithIdp", .object(["requestUri": .string(page), "postBody": .string(credential)]))
        #expect(answer.status == 200)
    }

    /// Without a credential of the provider, only an admin may link an account there.
    @Test func `an account by the API is linked and enrolled by admins only`() async throws {
        let api = try await API([.production])
        let idToken = JSON.string(try await api.tokens(of: "ada").idToken)
        let wish: [JSON.Member] = [
            JSON.Member(name: "linkProviderUserInfo", value: .object(["providerId": "google.com", "rawId": "9"])),
            JSON.Member(name: "phoneNumber", value: "+15555550199"),
            JSON.Member(
                name: "mfa",
                value: .object(["enrollments": .array([.object(["mfaEnrollmentId": "f", "phoneInfo": "+15555550101"])])])),
            JSON.Member(name: "createdAt", value: "1"), JSON.Member(name: "emailVerified", value: .bool(true)),
        ]
        let before = try await api.stored("ada")
        let ignored = wish.filter { !["linkProviderUserInfo", "mfa"].contains($0.name) }
        let owner = JSON.Member(name: "idToken", value: idToken)
        #expect(await api.call("accounts:update", .object(ignored + [owner])).status == 200)
        #expect(await api.call("accounts:update", .object(wish + [owner])).json.errorCode == "OPERATION_NOT_ALLOWED")
        let profile = try await api.profile("ada")
        #expect(profile.account == before && profile.linkedProviders.isEmpty && profile.secondFactors.isEmpty)

        let admin = await api.respond(
            .post, "/v1/projects/shop/accounts:update", headers: [.contentType: "application/json", .authorization: "Bearer admin-key"],
            body: JSON.object(wish + [JSON.Member(name: "localId", value: "ada")]).bytes)
        #expect(admin.status == .ok)
        let after = try await api.profile("ada")
        #expect(after.linkedProviders.map(\.rawID) == ["9"] && after.secondFactors.map(\.phoneNumber) == ["+15555550101"])
        #expect(
            after.account.phoneNumber?.value == "+15555550199" && after.account.emailVerified && after.account.createdAt.milliseconds == 1)
    }

    /// Writing back what was read changes nothing, including TOTP factors, and ends no session.
    @Test func `an account by the API keeps the second factors that are written back`() async throws {
        let api = try await API()
        let now = api.world.clock.now()
        try await api.enroll(
            SecondFactor(id: "f1", kind: .phone, displayName: "Phone", phoneNumber: "+15555550101", enrolledAt: now), for: "ada")
        try await api.enroll(SecondFactor(id: "f2", kind: .totp, sealedKey: [1], enrolledAt: now), for: "ada")
        let before = try await api.profile("ada")
        let idToken = try await api.tokens(of: "ada").idToken
        let list = JSON.array([
            .object(["mfaEnrollmentId": "f1", "displayName": "Phone", "phoneInfo": "+15555550101", "enrolledAt": .string(now.iso8601)]),
            .object(["mfaEnrollmentId": "f2", "totpInfo": .object([:])]),
        ])
        let body = JSON.object(["localId": "ada", "mfa": .object(["enrollments": list])])
        let admin = await api.respond(
            .post, "/v1/projects/shop/accounts:update", headers: [.contentType: "application/json", .authorization: "Bearer owner"],
            body: body.bytes)
        #expect(admin.status == .ok)
        #expect(try await api.profile("ada").secondFactors == before.secondFactors)
        #expect(await api.call("accounts:lookup", .object(["idToken": .string(idToken)])).status == 200)
    }

    /// As the admin SDKs do it, which read all factors to add one.
    @Test func `an admin adds a second factor to those that a lookup returned`() async throws {
        let api = try await API()
        let now = api.world.clock.now()
        try await api.enroll(SecondFactor(id: "f1", kind: .phone, phoneNumber: "+15555550101", enrolledAt: now), for: "ada")
        try await api.enroll(SecondFactor(id: "f2", kind: .totp, sealedKey: [1], enrolledAt: now), for: "ada")
        let before = try await api.profile("ada").secondFactors
        let owner: HTTPFields = [.authorization: "Bearer owner"]
        let answer = await api.call("accounts:lookup", .object(["localId": .array(["ada"])]), headers: owner).json
        let listed = try #require(answer["users"]?.items?.first?["mfaInfo"]?.items)
        let list = JSON.array(listed + [.object(["phoneInfo": "+15555550102"])])
        let body = JSON.object(["localId": "ada", "mfa": .object(["enrollments": list])])
        #expect(await api.call("accounts:update", body, headers: owner).status == 200)
        let after = try await api.profile("ada").secondFactors
        #expect(after.count == 3 && before.allSatisfy(after.contains) && after.contains { $0.phoneNumber == "+15555550102" })
    }
}

@Suite struct `The emulator's API` {
    @Test func `the emulator's API lists codes and deletes accounts`() async throws {
        let api = try await API()
        let asked = JSON.object(["requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": "new@example.com"])
        #expect(await api.call("accounts:sendOobCode", asked).status == 200)
        let listed = try JSON(await api.respond(.get, "/emulator/v1/projects/shop/oobCodes").body)
        guard case .array(let codes) = listed["oobCodes"], let code = codes.first else {
            Issue.record("no codes listed")
            return
        }
        #expect(code["email"] == "new@example.com" && code["requestType"] == "EMAIL_SIGNIN" && code["newEmail"] == nil)
        for name in ["mode=signIn", "apiKey=shop-key", "oobCode=\(code["oobCode"]?.string ?? "-")"] {
            #expect(code["oobLink"]?.string?.contains(name) == true)
        }
        #expect(await api.respond(.delete, "/emulator/v1/projects/shop/accounts").status == .ok)
        #expect(try await api.stored("ada") == nil)
    }

    @Test func `the emulator's API changes whether accounts are hidden`() async throws {
        let api = try await API()
        let wrong = JSON.object(["email": "ada@example.com", "password": "wrong"])
        #expect(await api.call("accounts:signInWithPassword", wrong).json.errorCode == "INVALID_PASSWORD")
        let patch = Array(#"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#.utf8)
        _ = await api.respond(.patch, "/emulator/v1/projects/shop/config", headers: [.contentType: "application/json"], body: patch)
        #expect(await api.call("accounts:signInWithPassword", wrong).json.errorCode == "INVALID_LOGIN_CREDENTIALS")
    }
}
