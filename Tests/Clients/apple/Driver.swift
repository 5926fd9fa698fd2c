// Sends each request of FirebaseAuth for Apple's systems, by `GTMSessionFetcher` and with the hosts
// and fields that the SDK writes, and takes the answers as the SDK takes them. Prints a line for
// each; the first that is not as expected ends the program.

import Foundation
import FoundationNetworking
import GTMSessionFetcherCore

typealias Fields = [String: any Sendable]

struct Unexpected: Error, CustomStringConvertible { let description: String }

/// The SDK's reading of an answer.
enum Outcome {
    case result(Fields)
    /// The `message` of an answer with an error.
    case refused(String)
    case networkError(any Error)
    case unexpected
}

@main struct Driver {
    static let arguments = CommandLine.arguments
    static let admin = arguments[2]

    static func fetch(_ url: String, _ body: Fields?, seconds: Double = 60) async -> Outcome {
        var request = URLRequest(url: URL(string: url)!)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("iOS/FirebaseSDK/12.0.0/FirebaseCore-iOS", forHTTPHeaderField: "X-Client-Version")
        request.setValue("com.example.shop", forHTTPHeaderField: "X-Ios-Bundle-Identifier")
        request.setValue("de", forHTTPHeaderField: "X-Firebase-Locale")
        request.timeoutInterval = seconds
        let fetcher = GTMSessionFetcher(request: request, configuration: nil)
        fetcher.bodyData = body.flatMap { try? JSONSerialization.data(withJSONObject: $0) }
        let (data, error) = await withCheckedContinuation { continuation in
            fetcher.beginFetch { continuation.resume(returning: ($0, $1)) }
        }
        // Without either the SDK ends the app.
        guard let data else { return error.map { .networkError($0) } ?? .unexpected }
        guard let json = try? JSONSerialization.jsonObject(with: data) as? Fields else { return .unexpected }
        guard error != nil else { return .result(json) }
        return ((json["error"] as? Fields)?["message"] as? String).map { .refused($0) } ?? .unexpected
    }

    static func old(_ endpoint: String, _ body: Fields?) async -> Outcome {
        await fetch("https://www.googleapis.com/identitytoolkit/v3/relyingparty/\(endpoint)?key=shop-key-1", body)
    }

    static func new(_ endpoint: String, _ body: Fields?) async -> Outcome {
        await fetch("https://identitytoolkit.googleapis.com/v2/\(endpoint)\(endpoint.contains("?") ? "&" : "?")key=shop-key-1", body)
    }

    static func result(_ name: String, _ outcome: Outcome) throws -> Fields {
        guard case .result(let fields) = outcome else { throw Unexpected(description: "\(name): \(outcome)") }
        print("ok \(name)")
        return fields
    }

    static func refusal(_ name: String, _ outcome: Outcome, _ code: String) throws {
        guard case .refused(let message) = outcome, message.hasPrefix(code) else {
            throw Unexpected(description: "\(name): \(outcome), not \(code)")
        }
        print("ok \(name): \(message)")
    }

    static func text(_ fields: Fields, _ name: String) throws -> String {
        guard let text = fields[name] as? String else { throw Unexpected(description: "\(name) is missing in \(fields)") }
        return text
    }

    /// The code of a link, which an admin asks for.
    static func code(_ type: String, _ email: String) async throws -> String {
        var request = URLRequest(url: URL(string: "\(admin)/identitytoolkit.googleapis.com/v1/projects/shop/accounts:sendOobCode")!)
        request.httpMethod = "POST"
        request.setValue("Bearer owner", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(
            withJSONObject: [
                "requestType": type, "email": email, "returnOobLink": true, "continueUrl": "https://example.com/",
                "canHandleCodeInApp": true,
            ] as Fields)
        let (data, _) = try await URLSession.shared.data(for: request)
        return try text(JSONSerialization.jsonObject(with: data) as? Fields ?? [:], "oobCode")
    }

    static func main() async {
        OnwardTransport.install(origin: URL(string: arguments[1])!)
        do {
            try await accounts()
            try await codes()
            try await factorsAndOthers()
            try await faults()
            print("done")
        } catch {
            print("FAIL \(error)")
            exit(1)
        }
    }

    static func accounts() async throws {
        let credentials: Fields = ["email": "ada@example.com", "password": "correct horse 7", "returnSecureToken": true]
        let signedUp = try result("signupNewUser", await old("signupNewUser", credentials))
        try refusal("signupNewUser again", await old("signupNewUser", credentials), "EMAIL_EXISTS")
        let signedIn = try result("verifyPassword", await old("verifyPassword", credentials))
        try refusal(
            "a wrong password", await old("verifyPassword", credentials.merging(["password": "x"]) { $1 }), "INVALID_LOGIN_CREDENTIALS")
        var token = try text(signedIn, "idToken")
        let found = try result("getAccountInfo", await old("getAccountInfo", ["idToken": token]))
        guard (found["users"] as? [Fields])?.first?["email"] as? String == "ada@example.com" else {
            throw Unexpected(description: "\(found)")
        }
        _ = try result("setAccountInfo", await old("setAccountInfo", ["idToken": token, "displayName": "Ada", "returnSecureToken": true]))
        let refreshed = try result(
            "token",
            await fetch(
                "https://securetoken.googleapis.com/v1/token?key=shop-key-1",
                ["grantType": "refresh_token", "refreshToken": try text(signedUp, "refreshToken")]))
        token = try text(refreshed, "access_token")
        let anonymous = try result("an anonymous sign-up", await old("signupNewUser", ["returnSecureToken": true]))
        _ = try result(
            "deleteAccount",
            await old("deleteAccount", ["localId": try text(anonymous, "localId"), "idToken": try text(anonymous, "idToken")]))
        try refusal(
            "getAccountInfo of a deleted one", await old("getAccountInfo", ["idToken": try text(anonymous, "idToken")]), "USER_NOT_FOUND")
        _ = try result(
            "createAuthUri", await old("createAuthUri", ["identifier": "ada@example.com", "continueUri": "https://example.com/"]))
    }

    static func codes() async throws {
        let email = "ada@example.com"
        let settings: Fields = [
            "requestType": "PASSWORD_RESET", "email": email, "continueUrl": "https://example.com/", "canHandleCodeInApp": false,
        ]
        _ = try result("getOobConfirmationCode", await old("getOobConfirmationCode", settings))
        try refusal(
            "a continue URL of another domain",
            await old("getOobConfirmationCode", settings.merging(["continueUrl": "https://attacker.example/"]) { $1 }),
            "UNAUTHORIZED_DOMAIN")
        let reset = try await code("PASSWORD_RESET", email)
        _ = try result("resetPassword, a look", await old("resetPassword", ["oobCode": reset]))
        _ = try result("resetPassword", await old("resetPassword", ["oobCode": reset, "newPassword": "another quiet horse"]))
        try refusal(
            "a used code", await old("resetPassword", ["oobCode": reset, "newPassword": "another quiet horse"]), "INVALID_OOB_CODE")
        let signedIn = try result(
            "verifyPassword after it",
            await old("verifyPassword", ["email": email, "password": "another quiet horse", "returnSecureToken": true]))
        _ = signedIn
        _ = try result("setAccountInfo with a code", await old("setAccountInfo", ["oobCode": try await code("VERIFY_EMAIL", email)]))
        _ = try result(
            "emailLinkSignin",
            await old("emailLinkSignin", ["email": email, "oobCode": try await code("EMAIL_SIGNIN", email), "returnSecureToken": true]))
    }

    static func factorsAndOthers() async throws {
        let signedIn = try result(
            "verifyPassword",
            await old("verifyPassword", ["email": "ada@example.com", "password": "another quiet horse", "returnSecureToken": true]))
        let token = try text(signedIn, "idToken")
        try refusal("verifyCustomToken", await old("verifyCustomToken", ["token": "x", "returnSecureToken": true]), "INVALID_CUSTOM_TOKEN")
        try refusal(
            "verifyAssertion",
            await old(
                "verifyAssertion",
                [
                    "requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=x", "returnSecureToken": true,
                    "autoCreate": true,
                ]),
            "OPERATION_NOT_ALLOWED")
        try refusal("sendVerificationCode", await old("sendVerificationCode", ["phoneNumber": "+15555550100"]), "OPERATION_NOT_ALLOWED")
        try refusal("verifyPhoneNumber", await old("verifyPhoneNumber", ["sessionInfo": "x", "code": "123456"]), "OPERATION_NOT_ALLOWED")
        let config = try result("getProjectConfig", await old("getProjectConfig", nil))
        // What the SDK compares `customAuthDomain` with.
        guard (config["authorizedDomains"] as? [String])?.contains("localhost") == true else {
            throw Unexpected(description: "\(config)")
        }
        try refusal(
            "mfaEnrollment:start", await new("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": Fields()]),
            "OPERATION_NOT_ALLOWED")
        try refusal("mfaEnrollment:finalize", await new("accounts/mfaEnrollment:finalize", ["idToken": token]), "OPERATION_NOT_ALLOWED")
        try refusal(
            "mfaEnrollment:withdraw", await new("accounts/mfaEnrollment:withdraw", ["idToken": token, "mfaEnrollmentId": "x"]),
            "MFA_ENROLLMENT_NOT_FOUND")
        try refusal(
            "mfaSignIn:start", await new("accounts/mfaSignIn:start", ["mfaPendingCredential": "x", "mfaEnrollmentId": "x"]),
            "INVALID_MFA_PENDING_CREDENTIAL")
        try refusal(
            "mfaSignIn:finalize", await new("accounts/mfaSignIn:finalize", ["mfaPendingCredential": "x"]), "MISSING_MFA_ENROLLMENT_ID")
        // Onward offers none of these, and the SDK can read that.
        try refusal("verifyClient", await old("verifyClient", ["appToken": "x", "isSandbox": false]), "OPERATION_NOT_ALLOWED")
        try refusal("signInWithGameCenter", await old("signInWithGameCenter", ["playerId": "x"]), "Not Found")
        try refusal(
            "revokeToken", await new("accounts:revokeToken", ["providerId": "apple.com", "token": "x", "idToken": token]),
            "OPERATION_NOT_ALLOWED")
        _ = try result("recaptchaConfig", await new("recaptchaConfig?clientType=CLIENT_TYPE_IOS&version=RECAPTCHA_ENTERPRISE", nil))
    }

    /// Only requests about accounts are taken. What fails on the way is a failure of the network.
    static func faults() async throws {
        for other in [
            "https://www.googleapis.com/oauth2/v3/userinfo", "https://firebaselogging.googleapis.com/v1", "https://example.com/x",
        ] {
            guard case .networkError(let error) = await fetch(other, nil), error is GTMSessionFetcher.WentOn else {
                throw Unexpected(description: "\(other) did not pass")
            }
        }
        print("ok others pass")
        // Nothing is told of a request that the app has cancelled.
        let asked = URLRequest(url: URL(string: "https://identitytoolkit.googleapis.com/v2/recaptchaConfig")!)
        let cancelled = GTMSessionFetcher(request: asked, configuration: nil)
        cancelled.beginFetch { _, _ in
            print("FAIL a cancelled request was answered")
            exit(1)
        }
        cancelled.stopFetching()
        // Its password does not stay.
        while !cancelled.isInvalidated { try await Task.sleep(for: .milliseconds(10)) }
        print("ok a fetcher is let go")
        // An installation that does not listen, one whose certificate is not trusted, one that does
        // not answer.
        for origin in arguments[3...] {
            OnwardTransport.install(origin: URL(string: origin)!)
            let asked = "https://www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig?key=shop-key-1"
            guard case .networkError(let error) = await fetch(asked, nil, seconds: 3), error is URLError else {
                throw Unexpected(description: "\(origin) is no failure of the network")
            }
            print("ok \((error as NSError).code) of \(origin)")
        }
        let redirect = HTTPURLResponse(url: URL(string: "https://x.example/")!, statusCode: 302, httpVersion: nil, headerFields: nil)
        // The hook would take 310, of a proxy, for a success.
        for error in [NSError(domain: "kCFErrorDomainCFNetwork", code: 310), nil] {
            let answers = [OnwardTransport.answer(Data(), redirect, error), OnwardTransport.answer(nil, nil, error)]
            guard answers.allSatisfy({ $0.0 == nil && ($0.1 as? URLError).map { $0.code.rawValue < 0 } ?? false }) else {
                throw Unexpected(description: "a redirect, a proxy's error or nothing counts as an answer")
            }
        }
        print("ok a redirect is a failure")
    }
}
