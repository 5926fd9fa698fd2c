import Accounts
import Base
import Logging
import Testing
import World
@testable import Remote

@Suite struct `An upstream` {
    static func body(_ action: Action) -> String {
        let email = action == .signIn ? "" : #","email":"ada@app.example""#
        let more =
            switch action {
            case .verifyAndChangeEmail: #","newEmail":"new@app.example""#
            case .revertSecondFactorAddition: #","mfaInfo":{"mfaEnrollmentId":"1","phoneInfo":"+*******0100"}"#
            default: ""
            }
        return #"{"kind":"k","requestType":"\#(action.requestType)"\#(email)\#(more),"later":[1]}"#
    }

    @Test(arguments: Action.allCases)
    func `returns the action of a code`(_ action: Action) async throws {
        let upstream = try FakeUpstream { _ in .answer(200, Self.body(action)) }
        let code = try await upstream.client().look()
        #expect(code.action == action)
        #expect(code.email == (action == .signIn ? nil : "ada@app.example"))
        #expect(code.newEmail == (action == .verifyAndChangeEmail ? "new@app.example" : nil))
        #expect(code.secondFactor == (action == .revertSecondFactorAddition ? "+*******0100" : nil))
    }

    @Test func `an upstream's code for a first address has no present address`() async throws {
        for email in ["", #""email":"","#] {
            let answer = #"{"kind":"k","requestType":"VERIFY_AND_CHANGE_EMAIL",\#(email)"newEmail":"new@app.example"}"#
            let upstream = try FakeUpstream { _ in .answer(200, answer) }
            let code = try await upstream.client().look()
            #expect(code.action == .verifyAndChangeEmail && code.email == nil && code.newEmail == "new@app.example")
        }
    }

    @Test func `receives requests like those of a browser on our page`() async throws {
        let upstream = try FakeUpstream { _ in .answer(200, Self.body(.verifyEmail)) }
        _ = try await upstream.client().look()
        let request = try #require(upstream.now.requests.first)
        #expect(request.hasPrefix("POST /v1/accounts:resetPassword?key=web-key-1 HTTP/1.1\r\n"))
        #expect(request.contains("\r\nX-Firebase-Locale: pt-BR\r\n"))
        #expect(request.contains("\r\nReferer: https://auth.example/\r\n"))
        #expect(request.contains("\r\nContent-Type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"oobCode":"\#(FakeUpstream.code.text)"}"#))
    }

    /// O6, Y7: the language of a link cannot inject anything into the request.
    @Test(arguments: ["de\r\nX-Evil: 1", "", "x", "a b", String(repeating: "a", count: 36)])
    func `receives no language that is not a language tag`(_ language: String) async throws {
        let upstream = try FakeUpstream { _ in .answer(200, Self.body(.verifyEmail)) }
        let caller = UpstreamCaller(apiKey: "k", language: language, page: FakeUpstream.caller.page)
        _ = try await upstream.client().look(at: FakeUpstream.code, for: caller)
        #expect(upstream.now.requests.first?.contains("X-") == false)
    }

    @Test func `applies codes with accounts:update, or accounts:resetPassword with a password`() async throws {
        let upstream = try FakeUpstream { _ in .answer(200, #"{"localId":"u1","email":"ada@app.example"}"#) }
        let client = upstream.client()
        #expect(try await client.apply() == UpstreamEffect(account: AccountID(rawValue: "u1"), email: "ada@app.example"))
        _ = try await client.apply(newPassword: "correct horse \"é")
        #expect(upstream.now.requests[0].hasPrefix("POST /v1/accounts:update?"))
        #expect(upstream.now.requests[1].hasPrefix("POST /v1/accounts:resetPassword?"))
        #expect(upstream.now.requests[1].contains(#""newPassword":"correct horse \"é""#))
    }

    @Test func `keeps its connection open between requests`() async throws {
        let upstream = try FakeUpstream { _ in .answer(200, Self.body(.verifyEmail)) }
        let client = upstream.client()
        for _ in 0..<5 { _ = try await client.look() }
        #expect(upstream.now.requests.count == 5)
        #expect(upstream.now.connections == 1)
    }

    @Test func `may have a base URL with a path`() async throws {
        let upstream = try FakeUpstream { _ in .answer(200, #"{"projectId":"1","authorizedDomains":["localhost","app.example"]}"#) }
        for base in ["/identitytoolkit.googleapis.com", "/identitytoolkit.googleapis.com/"] {
            let client = IdentityToolkitClient(
                base: try WebURL(upstream.base.origin + base), logger: .init(label: "test"))
            #expect(try await client.projectConfig(for: FakeUpstream.caller).authorizedDomains == ["localhost", "app.example"])
        }
        #expect(upstream.now.requests.allSatisfy { $0.hasPrefix("GET /identitytoolkit.googleapis.com/v1/projects?key=web-key-1 ") })
    }

    struct No: Sendable, CustomTestStringConvertible {
        let said: String
        let meant: Refusal?
        var testDescription: String { said }
    }

    @Test(arguments: [
        No(said: "INVALID_OOB_CODE", meant: .invalidOobCode), No(said: "INVALID_OOB_CODE : gone", meant: .invalidOobCode),
        No(said: "EXPIRED_OOB_CODE", meant: .expiredOobCode), No(said: "MISSING_OOB_CODE", meant: .invalidOobCode),
        No(said: "USER_NOT_FOUND", meant: .invalidOobCode), No(said: "EMAIL_NOT_FOUND", meant: .invalidOobCode),
        No(said: "USER_DISABLED", meant: .userDisabled), No(said: "EMAIL_EXISTS", meant: .emailExists),
        No(said: "OPERATION_NOT_ALLOWED : Password sign-in is off", meant: .operationNotAllowed),
        No(said: "PASSWORD_LOGIN_DISABLED", meant: .passwordLoginDisabled),
        No(said: "WEAK_PASSWORD : Password should be at least 6 characters", meant: .weakPassword),
        No(
            said: "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain an upper case character]",
            meant: .passwordDoesNotMeetRequirements),
        No(said: "TOO_MANY_ATTEMPTS_TRY_LATER : a while", meant: .tooManyAttempts),
        No(said: "RESET_PASSWORD_EXCEED_LIMIT", meant: .tooManyAttempts),
        No(said: "QUOTA_EXCEEDED : Exceeded quota", meant: .tooManyAttempts),
        No(said: "PROJECT_DISABLED", meant: nil), No(said: "CONFIGURATION_NOT_FOUND", meant: nil), No(said: "NEVER_HEARD_OF", meant: nil),
        No(said: "", meant: nil),
    ])
    func `has errors that map to ours`(_ no: No) async throws {
        let upstream = try FakeUpstream { _ in .answer(400, #"{"error":{"code":400,"message":"\#(no.said)","errors":[]}}"#) }
        let client = upstream.client()
        for error in [await client.lookFailing(), await client.applyFailing()] {
            #expect(error?.refusal == no.meant)
            #expect((error?.unavailable == nil) == (no.meant != nil))
            // An error means that nothing was changed.
            #expect([nil, .notCommitted].contains(error?.unavailable?.commitState))
        }
    }

    @Test func `reports which password requirements are not met`() async throws {
        let upstream = try FakeUpstream { _ in
            .answer(
                400,
                """
                {"error":{"code":400,"message":"PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must \
                contain at least 10 characters, Password must contain a lower case character, Password must contain an upper case \
                character, Password must contain a numeric character, Password must contain a non-alphanumeric character, Password \
                must rhyme]"}}
                """)
        }
        let detail = try #require(await upstream.client().applyFailing()?.detail)
        let shortcomings = PasswordShortcomings(refusalText: detail)
        #expect(
            shortcomings.objections
                == [.tooShort, .lacks(.lowercase), .lacks(.uppercase), .lacks(.numeric), .lacks(.nonAlphanumeric)])
        #expect(shortcomings.minimumLength == 10)
        #expect(!detail.contains("rhyme"))
    }

    /// Y8: the rules for passwords are the upstream's, and no reason is invented.
    @Test func `tells its rules for passwords`() async throws {
        let enforced = """
            {"customStrengthOptions":{"minPasswordLength":10,"maxPasswordLength":64,"containsNumericCharacter":true,\
            "containsLowercaseCharacter":false},"enforcementState":"ENFORCE","schemaVersion":1}
            """
        let upstream = try FakeUpstream { _ in .answer(200, enforced) }
        let rules = try await upstream.client().passwordPolicy(for: FakeUpstream.caller)
        #expect(rules == PasswordRequirements(minimumLength: 10, maximumLength: 64, classes: [.numeric]))
        #expect(upstream.now.requests[0].hasPrefix("GET /v2/passwordPolicy?key=web-key-1 "))
        let off = try FakeUpstream { _ in .answer(200, enforced.replacing("ENFORCE", with: "OFF")) }
        #expect(try await off.client().passwordPolicy(for: FakeUpstream.caller) == PasswordRequirements())
        var policy = PasswordPolicy(minimumLength: 6).adding(rules)
        #expect(policy.objections(to: "abcdefgh", words: []) == [.tooShort, .lacks(.numeric)])
        policy = PasswordPolicy(minimumLength: 12).adding(rules)
        #expect(policy.minimumLength == 12)
    }

    /// O1: texts of an upstream are not passed on, and no secret is logged.
    @Test(arguments: [
        (
            403,
            #"{"error":{"message":"Requests from referer <empty> are blocked.","status":"PERMISSION_DENIED","details":[{"reason":"API_KEY_HTTP_REFERRER_BLOCKED"}]}}"#,
            "403 API_KEY_HTTP_REFERRER_BLOCKED"
        ),
        (
            400,
            #"{"error":{"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            "400 API_KEY_INVALID"
        ),
        (400, #"{"error":{"message":"ODD_THING : <b>ada@app.example</b>"}}"#, "400 ODD_THING"),
        (400, #"{"error":{"message":"<script>"}}"#, "400 (no code)"),
    ])
    func `with any other error is unavailable, and only its code is logged`(_ status: Int, _ body: String, _ said: String) async throws {
        let upstream = try FakeUpstream { _ in .answer(status, body) }
        let down = try #require(await upstream.client().lookFailing()?.unavailable)
        #expect(down.part == .upstream)
        #expect(down.cause == "\(upstream.base.origin): the response is an error: \(said)")
    }

    @Test(arguments: [
        "", "null", "[]", "{", "{}", #"{"requestType":7}"#, #"{"requestType":"SOMETHING_NEW","email":"a@b.example"}"#,
        #"{"requestType":"VERIFY_EMAIL"}"#, #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","email":"a@b.example"}"#,
        #"{"requestType":"REVERT_SECOND_FACTOR_ADDITION","email":"a@b.example"}"#, #"{"requestType":"VERIFY_EMAIL","email":"a\nb"}"#,
        "<html>Welcome to the hotel</html>", String(repeating: "[", count: 100_000), #"{"requestType":"VERIFY_EMAIL","email":"\ud800"}"#,
    ])
    func `with an invalid response is unavailable`(_ body: String) async throws {
        let upstream = try FakeUpstream { _ in .answer(200, body) }
        #expect(await upstream.client().lookFailing()?.unavailable?.part == .upstream)
    }
}
