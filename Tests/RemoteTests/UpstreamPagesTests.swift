import Accounts
import Base
import HTTPTypes
import Store
import Testing
import Views
import Web
import World

/// The action pages of a project with an upstream.
@Suite struct `The action pages in front of an upstream` {
    private let ada = AccountID(rawValue: "ada")

    @Test(arguments: Action.redeemable)
    func `apply each action and show its receipt`(_ action: Action) async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(action)
            let page = await all.open(link)
            #expect(page.status == 200)
            #expect(page.text.contains("ada@app.example"))
            #expect(try await all.back.state(link.code) == .live)
            let done = try await all.press(page, typing: action == .resetPassword ? [("newPassword", "a quiet long phrase")] : [])
            #expect(done.status == 303)
            let location = try #require(done.location)
            if action == .recoverEmail || action == .revertSecondFactorAddition {
                let completion = await all.ask(.get, location)
                #expect(completion.status == 200)
                #expect(completion.text.contains(action == .recoverEmail ? "Address restored" : "Second factor removed"))
                #expect(completion.text.contains("https://app.example/welcome?a=1"))
                #expect(completion.text.contains("/__/auth/reset"))
            } else {
                #expect(location == "https://app.example/welcome?a=1")
            }
            #expect(try await all.back.state(link.code) == .used)
            let again = await all.open(link)
            #expect(again.status == 200)
            #expect(again.text.contains(action.doneTitle))
            #expect(again.text.contains("https://app.example/welcome?a=1"))
            // The store knows this without the upstream.
            all.fail { _ in .instead(500, "") }
            #expect(await all.open(link).text.contains(action.doneTitle))
        }
    }

    /// V10: an upstream's mails have no number.
    @Test(arguments: [Action.verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition])
    func `ask for a second press after a pause if the first one came at once`(_ action: Action) async throws {
        try await Installations.run(.upstream, { $0.confirmBy = .automatic }) { all in
            let link = try await all.issue(action)
            let asked = try await all.press(await all.open(link))
            #expect(asked.status == 422 && asked.text.contains("press the button once more") && !asked.text.contains(#"name="number""#))
            let early = try await all.press(asked)
            #expect(early.status == 422 && early.text.contains("press the button once more"))
            #expect(try await all.back.state(link.code) == .live)
            all.front.clock.advance(by: .seconds(2))
            #expect(try await all.press(early).status == 303)
            #expect(try await all.back.state(link.code) == .used)
        }
    }

    @Test func `hand a sign-in code on to the app`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.signIn)
            let page = await all.open(link)
            #expect(page.status == 200)
            let on = try await all.press(page)
            #expect(on.location?.hasPrefix("https://app.example/welcome?a=1&") == true)
            #expect(on.location?.contains("oobCode=\(link.code.text)") == true)
            #expect(try await all.back.state(link.code) == .live)
        }
    }

    /// P1: scanners open links, by GET and by HEAD.
    @Test(arguments: Action.allCases)
    func `spend nothing on GET or HEAD`(_ action: Action) async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(action)
            for _ in 0..<3 { _ = await all.open(link) }
            _ = await all.ask(.head, all.path(link))
            #expect(try await all.back.state(link.code) == .live)
            #expect(Set(all.requests) == ["/v1/accounts:resetPassword"])
        }
    }

    /// The error of the upstream when the code is applied, and the text of the page.
    static let errors: [(said: String, status: Int, title: String)] = [
        ("EXPIRED_OOB_CODE", 410, "This link has expired"), ("USER_DISABLED", 400, "This account is closed"),
        ("EMAIL_EXISTS", 400, "The address is in use"), ("TOO_MANY_ATTEMPTS_TRY_LATER", 429, "Too many attempts"),
        ("OPERATION_NOT_ALLOWED", 400, "This is no longer offered"), ("QUOTA_EXCEEDED : Exceeded", 429, "Please wait"),
        ("RESOURCE_EXHAUSTED", 429, "Please wait"),
        ("API_KEY_SERVICE_BLOCKED", 503, "Something went wrong on our side"),
        ("SOMETHING_NEW : <i>raw</i>", 503, "Something went wrong on our side"),
    ]

    @Test(arguments: errors.indices)
    func `show a text for each error of the upstream`(_ index: Int) async throws {
        let (said, status, title) = Self.errors[index]
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let page = await all.open(link)
            let isOver = said == "EXPIRED_OOB_CODE"
            all.fail { $0.hasSuffix(":update") || isOver ? .instead(400, #"{"error":{"message":"\#(said)"}}"#) : nil }
            let refused = try await all.press(page)
            #expect(refused.status == status)
            #expect(!refused.text.contains(said.prefix { $0 != " " }))
            #expect(!refused.text.contains("<i>raw"))
            #expect(refused.text.contains(title))
            // Another link can be requested in the app only.
            #expect(refused.text.contains(#"href="https://app.example/welcome?a=1""#) == isOver)
            #expect(try await all.back.state(link.code) == .live)
        }
    }

    @Test func `show which password requirements are not met, and keep the code`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.resetPassword)
            let page = await all.open(link)
            let no = """
                {"error":{"message":"PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at \
                least 31 characters, Password must contain an upper case character]"}}
                """
            all.fail { _ in all.requests.count == 3 ? .instead(400, no) : nil }
            let refused = try await all.press(page, typing: [("newPassword", "a quiet long phrase")])
            #expect(refused.status == 422)
            #expect(refused.text.contains("31"))
            #expect(try await all.back.state(link.code) == .live)
            let done = try await all.press(refused, typing: [("newPassword", "a quiet long phrase, and A longer one")])
            #expect(done.status == 303)
        }
    }

    /// A link with a URL that is not approved may be as long as a request may be.
    @Test func `say what was done where the continue URL is very long`() async throws {
        try await Installations.run(.upstream) { all in
            let code = try await all.issue(.verifyEmail).code
            let url = "https://app.example/" + String(repeating: "a", count: 7_000)
            let done = try await all.press(await all.open(all.link(.verifyEmail, code, to: url)))
            let location = try #require(done.location)
            #expect(location.utf8.count < 2_000)
            #expect(await all.ask(.get, location).text.contains("Address confirmed"))
        }
    }

    @Test func `say so when the outcome is unknown`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let page = await all.open(link)
            all.fail { path in
                if path.hasSuffix(":update") { return .lost }
                return all.requests.contains { $0.hasSuffix(":update") } ? .instead(502, "") : nil
            }
            let unsure = try await all.press(page)
            #expect(unsure.status == 503)
            #expect(unsure.text.contains("We do not know whether it worked"))
            // Inspect for the page, inspect and apply for the form, inspect again: no further
            // requests.
            #expect(all.requests.count == 4)
            #expect(!unsure.text.contains("Nothing was changed"))
            // As the page says, while the upstream is down still.
            for again in [await all.open(link), try await all.press(page)] {
                #expect(again.status == 503 && again.text.contains("We do not know whether it worked"))
                #expect(!again.text.contains("Nothing was changed"))
            }
            all.fail { _ in nil }
            // The code is gone, for a reason that the upstream does not tell.
            let later = await all.open(link)
            #expect(later.status == 410 && later.text.contains("We do not know whether it worked"))
            #expect(later.text.contains("this link no longer works"))
        }
    }

    /// Y3: the response to the press is lost, then that to the second look.
    @Test(arguments: [Action.verifyEmail, .resetPassword])
    func `do not call a link incomplete whose outcome is unknown`(_ action: Action) async throws {
        try await Installations.run(.upstream) { all in
            let page = await all.open(try await all.issue(action))
            all.fail { _ in
                switch all.requests.count {
                case 3: .lost
                case 5: .instead(502, "")
                default: nil
                }
            }
            let unsure = try await all.press(page, typing: action == .resetPassword ? [("newPassword", "a quiet long phrase")] : [])
            #expect(all.requests.count == 5)
            #expect(unsure.status == 503 && unsure.text.contains("We do not know"))
            #expect(!unsure.text.contains("incomplete") && !unsure.text.contains("Nothing was changed"))
        }
    }

    /// Y1: an upstream may show a code that it does not accept any more.
    @Test func `do not call a link incomplete that the upstream shows and refuses`() async throws {
        try await Installations.run(.upstream) { all in
            let page = await all.open(try await all.issue(.verifyEmail))
            all.fail { $0.hasSuffix(":update") ? .instead(400, #"{"error":{"message":"INVALID_OOB_CODE"}}"#) : nil }
            let refused = try await all.press(page)
            #expect(refused.text.contains("This link does not work any more") && !refused.text.contains("incomplete"))
            #expect(refused.text.contains(#"href="https://app.example/welcome?a=1""#))
        }
    }

    /// The store failed when the upstream's yes was to be noted.
    @Test func `say what was done although it could not be noted`() async throws {
        try await Installations.run(.upstream, { $0.continuePolicy = ContinuePolicies(.page) }) { all in
            let link = try await all.issue(.resetPassword)
            let done = try await all.press(await all.open(link), typing: [("newPassword", "a quiet long phrase")])
            let (project, moment) = (all.project.id, all.front.clock.now())
            let digest = link.code.digest(in: project, keyedBy: all.front.secrets)
            #expect(try await all.front.store.purgeUpstreamTries(begunBefore: moment + .milliseconds(1)) == 1)
            try await all.front.store.transaction { (records) throws(ActionError) in
                try records.beginUpstreamTry(of: digest, in: project, at: moment)
            }
            let receipt = await all.ask(.get, try #require(done.location))
            #expect(receipt.status == 200 && receipt.text.contains("Password saved"))
        }
    }

    /// V5: the upstream hashes the password, so this server has a turn for others.
    @Test(.patience) func `of other projects save a password while an upstream saves one`() async throws {
        try await Installations.run(.upstream) { all in
            let page = await all.open(try await all.issue(.resetPassword))
            let beside = await all.open(try await all.issueBeside(.resetPassword))
            let (waiting, gate) = AsyncStream.makeStream(of: Never.self)
            let opened = Task { for await _ in waiting {} }
            all.fail { _ in all.requests.count == 3 ? .after(opened) : nil }
            async let slow = all.press(page, typing: [("newPassword", "a quiet long phrase")])
            try await eventually("the upstream is asked") { all.requests.count == 3 }
            #expect(try await all.press(beside, typing: [("newPassword", "another long phrase")]).status == 303)
            gate.finish()
            #expect(try await slow.status == 303)
        }
    }

    @Test func `are unavailable while the upstream is down, and say so`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            all.fail { _ in .instead(500, "") }
            for _ in 0..<6 {
                let page = await all.open(link)
                #expect(page.status == 503)
                #expect(page.text.contains("Something went wrong on our side"))
            }
            #expect(all.requests.count == 5)
            // The server stays ready for its other projects.
            let ready = await all.ask(.get, "/readyz")
            #expect(ready.status == 200)
            #expect(
                ready.text
                    == "ready\nupstream \(try #require(all.project.upstream).base.origin) of project shop has not answered yet: the response has status 500\n"
            )
            all.fail { _ in nil }
            all.advance(by: .seconds(5))
            #expect(await all.open(link).status == 200)
            #expect(await all.ask(.get, "/readyz").text == "ready\n")
        }
    }

    /// More requests than the transport has threads wait for an upstream that does not respond;
    /// another project is not affected.
    @Test func `of other projects respond while an upstream hangs`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let beside = try await all.issueBeside(.verifyEmail)
            let (waiting, gate) = AsyncStream.makeStream(of: Never.self)
            let opened = Task { for await _ in waiting {} }
            all.fail { _ in .after(opened) }
            let pages = (0..<40).map { _ in Task { await all.open(link).status } }
            let deadline = ContinuousClock.now + .patience
            while all.requests.count < 32 {
                try #require(ContinuousClock.now < deadline, "the requests did not arrive")
                try await Task.sleep(for: .milliseconds(1))
            }
            for _ in 0..<40 { #expect(await all.open(beside).status == 200) }
            #expect(all.requests.count == 32)
            gate.finish()
            for page in pages { #expect(await page.value == 200) }
        }
    }

    /// R9: a continue URL is authorised again when it is used.
    @Test(arguments: ["https://evil.example/", "javascript:alert(1)", "//evil.example", "https://app.example@evil.example/"])
    func `continue only to authorised domains`(_ continueURL: String) async throws {
        try await Installations.run(.upstream) { all in
            let code = try await all.issue(.verifyEmail).code
            let page = await all.open(all.link(.verifyEmail, code, to: continueURL))
            let done = try await all.press(page)
            #expect(done.status == 303)
            #expect(done.location?.hasPrefix("/__/auth/done?") == true)
            #expect(await all.ask(.get, try #require(done.location)).text.contains("evil.example\"") == false)
        }
    }

    @Test(arguments: [
        ("POST", "/v1/accounts:sendOobCode?key=shop-key"), ("POST", "/v1/accounts:signInWithPassword?key=shop-key"),
        ("POST", "/v1/accounts:resetPassword?key=shop-key"), ("GET", "/v1/projects?key=shop-key"),
        ("POST", "/identitytoolkit/v3/relyingparty/getOobConfirmationCode?key=shop-key"),
    ])
    func `forward no other request to the upstream`(_ method: String, _ path: String) async throws {
        try await Installations.run(.upstream) { all in
            let asked = all.requests.count
            let reply = await all.ask(
                try #require(HTTPRequest.Method(rawValue: method)), path, body: "{}", headers: [.contentType: "application/json"])
            #expect(reply.status == 404)
            #expect(reply.text.contains("The accounts of this project are at http://127.0.0.1:"))
            #expect(all.requests.count == asked)
        }
    }
}

extension World {
    fileprivate func state(_ code: OobCode) async throws -> Installations.State { .init(try await inspect(code)) }
}

extension Installations {
    struct Reply: Sendable {
        let status: Int
        let location: String?
        let text: String
    }

    func path(_ link: ActionLink) -> String {
        "/__/auth/action?" + link.query.map { "\($0.name)=\(WebURL.percentEncoded($0.value))" }.joined(separator: "&")
    }

    func open(_ link: ActionLink) async -> Reply { await ask(.get, path(link)) }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, body: String = "", headers: [HTTPField.Name: String] = [:],
        from peer: String = "192.0.2.7"
    ) async -> Reply {
        var request = HTTPRequest(method: method, scheme: "https", authority: "auth.example", path: path)
        for (name, value) in headers { request.headerFields[name] = value }
        let sent = Array(body.utf8)
        let (response, bytes) = await site.accept(request, bodyLength: sent.count, from: peer, through: .front).response(to: sent)
        return Reply(
            status: response.status.code, location: response.headerFields[.location], text: String(decoding: bytes, as: UTF8.self))
    }

    /// Submits the form of a page with these values.
    func press(_ page: Reply, typing fields: [(String, String)] = [], accepting type: String? = nil) async throws -> Reply {
        let form = try #require(page.text.firstMatch(of: #/<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>([\s\S]*?)</form>/#))
        let hidden = form.2.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)"/#).map {
            (String($0.1), String($0.2).replacing("&amp;", with: "&"))
        }
        let body = (hidden + fields).map { "\(WebURL.percentEncoded($0.0))=\(WebURL.percentEncoded(String($0.1)))" }
            .joined(separator: "&")
        var headers = [HTTPField.Name.contentType: "application/x-www-form-urlencoded", HTTPField.Name("Sec-Fetch-Site")!: "same-origin"]
        headers[.accept] = type
        return await ask(.post, String(form.1), body: body, headers: headers)
    }
}

extension Action {
    /// The title of the page after the action, and when its link is opened again.
    var doneTitle: String {
        switch self {
        case .verifyEmail: "Address confirmed"
        case .resetPassword: "Password saved"
        case .verifyAndChangeEmail: "Address changed"
        case .recoverEmail: "Address restored"
        case .revertSecondFactorAddition: "Second factor removed"
        case .signIn: "Already done"
        }
    }
}
