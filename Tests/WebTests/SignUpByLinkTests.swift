import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// V6: a project where people sign up by a link only.
@Suite struct `A project whose sign-ups begin with a link` {
    private let api: API

    init() async throws { api = try await API([.production, .hidesAccounts, .signUpsByLink]) }

    private func call(_ method: String, _ body: String) async throws -> JSON {
        let reply = await api.respond(
            .post, "/v1/accounts:\(method)?key=\(API.key)", headers: [.contentType: "application/json"], body: Array(body.utf8))
        return try JSON(reply.body)
    }

    @Test(arguments: ["signUp", "update"]) func `answers alike for taken and free addresses`(method: String) async throws {
        var answers: [JSON] = []
        for name in ["ada", "stranger"] {
            let idToken = try await api.tokens(of: "nobody").idToken
            for token in ["", #""idToken": "\#(idToken)","#] where method == "signUp" || !token.isEmpty {
                answers.append(
                    try await call(method, #"{\#(token) "email": "\#(name)@example.com", "password": "a long enough password"}"#))
            }
        }
        #expect(answers.count > 1 && answers.allSatisfy { $0 == answers[0] })
        let message = try #require(answers[0]["error", "message"]?.string)
        #expect(message.hasPrefix("ADMIN_ONLY_OPERATION"))
    }

    /// The account that a sign-in link made has its address.
    @Test func `lets a signed-in account set a password`() async throws {
        let idToken = try await api.tokens(of: "grace").idToken
        let answer = try await call("update", #"{"idToken": "\#(idToken)", "password": "a long enough password"}"#)
        #expect(answer["email"]?.string == "grace@example.com")
        #expect(
            try await call("signInWithPassword", #"{"email": "grace@example.com", "password": "a long enough password"}"#)["idToken"] != nil
        )
    }
}
