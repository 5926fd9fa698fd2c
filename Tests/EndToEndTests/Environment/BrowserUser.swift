import Testing

/// A user with a browser, and the server that sent them mail.
struct BrowserUser: Sendable {
    let server: DevServer
    let browser: Browser
    let hasScripts: Bool

    var api: API { API(origin: server.origin) }
}

extension BrowserUser {
    /// Opens the link of the newest mail of a kind to an address.
    @discardableResult func follow(_ kind: String, to email: String) async throws -> API.Mail {
        let mail = try await api.mail(kind, to: email)
        try await browser.open(try #require(mail.link))
        return mail
    }

    /// Presses the page's button.
    func press() async throws { try await browser.element("main form button.button").click() }

    /// Presses the button, and then the one of the page that says that it worked.
    func pressAndGoOn(to goal: String) async throws {
        try await press()
        try await goOn(to: goal)
    }

    func goOn(to goal: String) async throws {
        try await browser.element("main .success")
        try await browser.element("main a.button").click()
        try await browser.arrive(at: goal)
    }

    /// The text of the page's main heading.
    var heading: String { get async throws { try await browser.element("h1").text.replacing("\u{2060}", with: "") } }

    /// Requests a mail on behalf of an account.
    func ask(_ type: String, _ account: API.Account, _ more: JSON = [:]) async throws {
        try await api.get("sendOobCode", more + ["requestType": .text(type), "idToken": .text(account.idToken)])
    }

    /// A new account with an unverified address and a verification mail that continues to `goal`.
    func unverified(goingOnTo goal: String) async throws -> API.Account {
        let account = try await api.signUp()
        try await ask("VERIFY_EMAIL", account, ["continueUrl": .text(goal)])
        return account
    }

    /// A new account with a mail to reset its password that continues to `goal`.
    func forgetful(goingOnTo goal: String) async throws -> API.Account {
        let account = try await api.signUp(password: "forgotten horse 7")
        try await api.get("sendOobCode", ["requestType": "PASSWORD_RESET", "email": .text(account.email), "continueUrl": .text(goal)])
        return account
    }

    func isVerified(_ account: API.Account) async throws -> Bool { try await api.account(account.id)["emailVerified"] == true }
}

extension JSON {
    /// The members of both objects; those of the second win.
    static func + (one: JSON, other: JSON) -> JSON {
        guard case .object(let mine) = one, case .object(let others) = other else { return one }
        return .object(mine.merging(others) { $1 })
    }
}
