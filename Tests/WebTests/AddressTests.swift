import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Accounts
@testable import Web

/// Addresses on their way from a request to a mail and a page.
@Suite struct `An address in any spelling` {
    private static let password = "a quiet long phrase"
    private static let spellings = [
        " x@münchen.de", "X@MÜNCHEN.DE\t", "x@mu\u{308}nchen.de", "x@xn--mnchen-3ya.de", "\u{3000}X@XN--MNCHEN-3YA.de ",
    ]
    private static let canonical = "x@xn--mnchen-3ya.de"

    private func signedUp(_ spelling: String, with api: API) async -> (status: Int, json: JSON) {
        await api.call("accounts:signUp", .object(["email": .string(spelling), "password": .string(Self.password)]))
    }

    private func admin(_ method: String, _ body: JSON, with api: API) async throws -> JSON {
        let headers: HTTPFields = [.authorization: "Bearer owner", .contentType: "application/json"]
        let response = await api.respond(.post, "/v1/projects/shop/accounts:\(method)", headers: headers, body: body.bytes)
        return try JSON(response.body)
    }

    /// The id of the account that admins find under an address.
    private func id(of spelling: String, with api: API) async throws -> String? {
        guard case .array(let users)? = try await admin("lookup", .object(["email": .array([.string(spelling)])]), with: api)["users"]
        else {
            return nil
        }
        return users.first?["localId"]?.string
    }

    /// B7: an address that looks like another never reaches its account.
    @Test(arguments: spellings) func `signs up, signs in and gets its mail`(_ spelling: String) async throws {
        let api = try await API()
        let new = await signedUp(spelling, with: api)
        #expect(new.status == 200 && new.json["email"]?.string == Self.canonical)
        for other in Self.spellings {
            #expect(await signedUp(other, with: api).json.errorCode == "EMAIL_EXISTS", "\(other)")
            let signIn = await api.call(
                "accounts:signInWithPassword", .object(["email": .string(other), "password": .string(Self.password)]))
            #expect(signIn.json["localId"] == new.json["localId"], "\(other)")
            let reset = await api.call(
                "accounts:sendOobCode", .object(["requestType": "PASSWORD_RESET", "email": .string(other)]))
            #expect(reset.json["email"]?.string == Self.canonical, "\(other)")
        }
        let mails = try await api.world.mails()
        #expect(mails.map(\.to) == Self.spellings.map { _ in Self.canonical })
        let digest = api.world.outbox.digest(of: try #require(EmailAddress(spelling)), in: api.world.project.id)
        #expect(
            try await api.world.store.mailRecords(to: digest, in: api.world.project.id, before: nil, limit: 9, at: api.world.clock.now())
                .count == 5)
    }

    @Test func `is imported and looked up by admins`() async throws {
        let api = try await API()
        let users: JSON = .array([.object(["localId": "1", "email": " X@MÜNCHEN.de "]), .object(["localId": "2", "email": "用户@例子.广告"])])
        #expect(try await admin("batchCreate", .object(["users": users]), with: api)["error"] == nil)
        for (spelling, id) in Self.spellings.map({ ($0, "1") }) + [("用户@xn--fsqu00a.xn--4rr70v", "2")] {
            #expect(try await self.id(of: spelling, with: api) == id, "\(spelling)")
        }
    }

    /// B7: an address that looks alike finds no account, and gets no mail.
    @Test(arguments: [
        "\u{212A}elvin@example.com", "kelv\u{131}n@example.com", "kelvin@exampl\u{435}.com", "kelvin@\u{FF45}xample.com",
        "\u{FF4B}elvin@example.com",
        "kelvi\u{578}@example.com", "kelv\u{200D}in@example.com", "\u{202E}kelvin@example.com", "kelvin@example\u{3002}com",
        "kel\u{17F}in@example.com",
    ])
    func `finds no account of another`(_ lookalike: String) async throws {
        let api = try await API()
        try await api.world.account("kelvin@example.com", id: "kelvin") { $0.emailVerified = true }
        try await api.world.account("kelsin@example.com", id: "kelsin")
        for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
            let body: JSON = .object(["requestType": .string(type), "email": .string(lookalike), "continueUrl": "https://app.example/"])
            _ = await api.call("accounts:sendOobCode", body)
        }
        #expect(try await api.world.mails().allSatisfy { !["kelvin@example.com", "kelsin@example.com"].contains($0.to) })
        #expect(try await id(of: lookalike, with: api) == nil)
        let signUp = await signedUp(lookalike, with: api)
        #expect(
            signUp.json.errorCode == "INVALID_EMAIL"
                || signUp.json["localId"] != nil && signUp.json["email"]?.string != "kelvin@example.com")
    }

    /// B2: the limit of an address does not grow with its spellings.
    @Test func `counts against one limit`() async throws {
        let world = try await World()
        let limiter = RateLimiter(limits: world.limits(of: 2))
        var excesses: [Bool] = []
        for spelling in Self.spellings.prefix(3) {
            let address = try #require(EmailAddress(spelling))
            try await limiter.countingMail(.signIn, to: address, in: world.project.id) { excesses.append($0 != nil) }
        }
        #expect(excesses == [false, false, true])
    }

    @Test func `is shown on pages with the domain that its owner knows`() async throws {
        let visitor = try await Visitor()
        let account = try await visitor.world.account("x@münchen.de")
        let request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: visitor.world.project))
        let code = try #require(try await visitor.world.accounts.send(request)?.code)
        let page = await visitor.open(code, .verifyEmail)
        #expect(page.text.contains("x@münchen.de") && !page.text.contains("xn--"))
        visitor.world.clock.advance(by: .days(30))
        let ended = await visitor.open(code, .verifyEmail)
        #expect(ended.text.contains("x•••@münchen.de") && !ended.text.contains("xn--"))
    }
}
