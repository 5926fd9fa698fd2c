import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// The accounts that clients may make, by the ways to make one (V6).
@Suite struct `A project with rules for sign-ups` {
    enum Rules: CaseIterable { case none, closed, domains }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let body: String
        /// The refusals by the rules; nil where the call works.
        let refusals: [String?]

        init(_ name: String, _ method: String, _ body: String, _ refusals: String?...) {
            (testDescription, self.method, self.body, self.refusals) = (name, method, body, refusals)
        }
    }

    private static let no: String? = "ADMIN_ONLY_OPERATION"
    private static let password = #""password": "a long enough password""#

    private static func link(to address: String, _ more: String = "") -> String {
        #"{"requestType": "EMAIL_SIGNIN", "email": "\#(address)", "continueUrl": "https://app.example/", "canHandleCodeInApp": true\#(more)}"#
    }

    private static func provider(_ subject: String, _ email: String?, isVerified: Bool = true, _ more: String = "") -> String {
        let address = email.map { #","email":"\#($0)","email_verified":\#(isVerified)"# } ?? ""
        let token = WebURL.percentEncoded(#"{"sub":"\#(subject)"\#(address)}"#)
        return #"{"requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=\#(token)"\#(more)}"#
    }

    private static func change(_ name: String, to address: String) -> String {
        #"{"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "{idToken \#(name)}", "newEmail": "\#(address)"}"#
    }

    static let ways = [
        Way("a password", "signUp", #"{"email": "new@example.com", \#(password)}"#, nil, no, nil),
        Way("a password, below a domain", "signUp", #"{"email": "new@a.b.example.org", \#(password)}"#, nil, no, nil),
        Way("a password, at the domain that others are below", "signUp", #"{"email": "new@example.org", \#(password)}"#, nil, no, no),
        Way("a password, of another domain", "signUp", #"{"email": "new@other.example", \#(password)}"#, nil, no, no),
        Way("a password, with a domain at its end", "signUp", #"{"email": "new@evilexample.com", \#(password)}"#, nil, no, no),
        Way(
            "a password, for a taken address", "signUp", #"{"email": "ada@example.com", \#(password)}"#, "EMAIL_EXISTS", no, "EMAIL_EXISTS"),
        Way("nothing", "signUp", #"{"returnSecureToken": true}"#, nil, no, no),
        Way("a link", "sendOobCode", link(to: "new@example.com"), nil, no, nil),
        Way("a link, of another domain", "sendOobCode", link(to: "new@other.example"), nil, no, no),
        Way("a link, to an account", "sendOobCode", link(to: "ada@example.com"), nil, nil, nil),
        Way("a used link", "signInWithEmailLink", #"{"email": "new@example.com", "oobCode": "{code signIn new}"}"#, nil, no, nil),
        Way(
            "a used link, to an account", "signInWithEmailLink", #"{"email": "ada@example.com", "oobCode": "{code signIn ada}"}"#, nil, nil,
            nil),
        Way("a provider", "signInWithIdp", provider("g-1", "new@example.com"), nil, no, nil),
        Way("a provider, of another domain", "signInWithIdp", provider("g-1", "new@other.example"), nil, no, no),
        Way("a provider, without an address", "signInWithIdp", provider("g-1", nil), nil, no, no),
        Way("a provider, for an account", "signInWithIdp", provider("1234", "radia@gmail.example"), nil, nil, nil),
        Way("a provider that claims an address", "signInWithIdp", provider("g-1", "ada@example.com", isVerified: false), nil, no, nil),
        Way("a phone", "sendVerificationCode", #"{"phoneNumber": "+16505550100"}"#, nil, no, no),
        Way("a phone of an account", "sendVerificationCode", #"{"phoneNumber": "+15555550123"}"#, nil, nil, nil),
        Way(
            "a code to a phone", "signInWithPhoneNumber", #"{"sessionInfo": "{phoneSession +15555550199}", "code": "123456"}"#, nil, no, no),
        Way(
            "a code to a phone of an account", "signInWithPhoneNumber",
            #"{"sessionInfo": "{phoneSession +15555550123}", "code": "123456"}"#, nil, nil, nil),
        Way("a custom token", "signInWithCustomToken", #"{"token": "{unsignedCustomToken zed}"}"#, nil, nil, nil),

        Way(
            "a password for an anonymous account", "signUp",
            #"{"idToken": "{idToken nobody}", "email": "new@example.com", \#(password)}"#, nil, no, nil),
        Way(
            "a password of another domain for an anonymous account", "signUp",
            #"{"idToken": "{idToken nobody}", "email": "new@other.example", \#(password)}"#, nil, no, no),
        Way(
            "an address for an anonymous account", "update", #"{"idToken": "{idToken nobody}", "email": "new@example.com"}"#, nil, no, nil),
        Way("a change of an anonymous account", "sendOobCode", change("nobody", to: "new@example.com"), nil, no, nil),
        Way(
            "a link for an anonymous account", "signInWithEmailLink",
            #"{"idToken": "{idToken nobody}", "email": "new@example.com", "oobCode": "{code signIn new}"}"#, nil, no, nil),
        Way(
            "a provider for an anonymous account", "signInWithIdp",
            provider("g-1", "new@example.com", #", "idToken": "{idToken nobody}""#), nil, no, nil),
        Way(
            "a provider of another domain for an anonymous account", "signInWithIdp",
            provider("g-1", "new@other.example", #", "idToken": "{idToken nobody}""#), nil, no, no),
        Way(
            "a phone for an anonymous account", "signInWithPhoneNumber",
            #"{"idToken": "{idToken nobody}", "sessionInfo": "{phoneSession +15555550199}", "code": "123456"}"#, nil, no, no),

        Way("another address", "update", #"{"idToken": "{idToken grace}", "email": "new@example.com"}"#, nil, nil, nil),
        Way("an address of another domain", "update", #"{"idToken": "{idToken grace}", "email": "new@other.example"}"#, nil, nil, no),
        Way("a change to another domain", "sendOobCode", change("grace", to: "new@other.example"), nil, nil, no),
        Way("a change within the domain", "sendOobCode", change("grace", to: "new@example.com"), nil, nil, nil),
        Way(
            "a provider of another domain for an account", "signInWithIdp",
            provider("g-1", "new@other.example", #", "idToken": "{idToken grace}""#), nil, nil, nil),
        Way("a password for an account", "update", #"{"idToken": "{idToken grace}", \#(password)}"#, nil, nil, nil),
    ]

    private func api(_ rules: Rules, _ variations: Set<API.Variation> = []) async throws -> API {
        try await API(
            variations,
            change: { project in
                if rules == .closed { project.signUps = .closed }
                if rules == .domains { project.signUpDomains = try SignUpDomains(["example.com", "*.Example.org"]) }
            })
    }

    @Test(arguments: ways, Rules.allCases)
    func `makes accounts by`(_ way: Way, _ rules: Rules) async throws {
        let api = try await api(rules)
        let body = Array(try await api.filledIn(way.body).utf8)
        let reply = await api.respond(
            .post, "/v1/accounts:\(way.method)?key=\(API.key)", headers: [.contentType: "application/json"], body: body)
        let index = try #require(Rules.allCases.firstIndex(of: rules))
        #expect(try JSON(reply.body).errorCode == way.refusals[index], "\(String(decoding: reply.body, as: UTF8.self))")
    }

    @Test(arguments: Rules.allCases) func `has every account that an admin makes`(_ rules: Rules) async throws {
        for body in [#"{"email": "new@other.example"}"#, #"{"phoneNumber": "+15555550199"}"#, "{}"] {
            let reply = try await api(rules).respond(
                .post, "/v1/projects/shop/accounts", headers: [.contentType: "application/json", .authorization: "Bearer owner"],
                body: Array(body.utf8))
            #expect(reply.status == .ok)
        }
    }

    /// A closed sign-up tells of no account where accounts are hidden.
    @Test func `answers alike for known and unknown users, and writes to known ones only`() async throws {
        let api = try await api(.closed, [.production, .hidesAccounts])
        for (method, bodies) in [
            ("signUp", ["ada", "new"].map { #"{"email": "\#($0)@example.com", \#(Self.password)}"# }),
            ("sendOobCode", ["ada", "new"].map { Self.link(to: "\($0)@example.com") }),
            ("sendVerificationCode", ["+15555550123", "+15555550199"].map { #"{"phoneNumber": "\#($0)"}"# }),
        ] {
            var answers: [JSON] = []
            for body in bodies {
                let reply = await api.respond(
                    .post, "/v1/accounts:\(method)?key=\(API.key)", headers: [.contentType: "application/json"], body: Array(body.utf8))
                let text = String(decoding: reply.body, as: UTF8.self).replacing("new@", with: "ada@")
                answers.append(try JSON(Array(text.replacing(#/"sessionInfo":"[^"]+"/#, with: "").utf8)))
            }
            #expect(answers[0] == answers[1], "\(method): \(answers)")
        }
        #expect(api.texts.all.map(\.number.value) == ["+15555550123"])
        let mails = try await api.world.mails()
        #expect(mails.map(\.to) == ["ada@example.com"])
    }

    @Test(arguments: ["", "*.", "example", "@example.com", "https://example.com", "*.*.example.com", "exa mple.com", "*"])
    func `has no rule for what is not a domain`(_ entry: String) {
        #expect(throws: SignUpDomains.BadDomain.self) { try SignUpDomains([entry]) }
    }
}
