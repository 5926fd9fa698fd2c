import Testing

extension Stage.Person {
    /// Opens the link of the newest mail of a kind to an address.
    @discardableResult func follow(_ kind: String, to email: String) async throws -> API.Mail {
        let mail = try await api.mail(kind, to: email)
        try await browser.open(try #require(mail.link))
        return mail
    }

    /// Presses the page's button.
    func press() async throws { try await browser.element("main form button.button").click() }

    /// The big words on the page.
    var heading: String { get async throws { try await browser.element("h1").text } }

    /// Asks for a mail on behalf of an account.
    func ask(_ type: String, _ account: API.Account, _ more: JSON = [:]) async throws {
        try await api.get("sendOobCode", more + ["requestType": .text(type), "idToken": .text(account.idToken)])
    }

    /// A new account whose mail is waiting to be verified, and then to go on to `goal`.
    func unverified(goingOnTo goal: String) async throws -> API.Account {
        let account = try await api.signUp()
        try await ask("VERIFY_EMAIL", account, ["continueUrl": .text(goal)])
        return account
    }

    /// A new account that forgot its password.
    func forgetful(goingOnTo goal: String) async throws -> API.Account {
        let account = try await api.signUp(password: "forgotten horse 7")
        try await api.get("sendOobCode", ["requestType": "PASSWORD_RESET", "email": .text(account.email), "continueUrl": .text(goal)])
        return account
    }

    func isVerified(_ account: API.Account) async throws -> Bool { try await api.account(account.id)["emailVerified"] == true }
}

extension JSON {
    /// The members of both.
    static func + (one: JSON, other: JSON) -> JSON {
        guard case .object(let mine) = one, case .object(let others) = other else { return one }
        return .object(mine.merging(others) { $1 })
    }
}
