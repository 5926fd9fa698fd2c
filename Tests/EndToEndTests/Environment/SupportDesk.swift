import Foundation
import Testing
import World

/// A server with a console, and the browser of a person who helps its users.
struct SupportDesk: Sendable {
    let browser: Browser
    let server: ProductionServer
    /// The address of the console.
    let console: String
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - mail, project: as those of `ProductionServer`.
    ///   - keys: more keys of the configuration.
    ///   - hasListener: whether the console has its own listener.
    init(
        in folder: TemporaryFolder, mail: String = #"{from: shop@example.com, relays: [{url: "smtp://127.0.0.1:9"}]}"#,
        more keys: String = "",
        project: String = "", hasListener: Bool = false
    ) async throws {
        self.folder = folder
        browser = try BrowserEnvironment.current().user(hasScripts: true).browser
        let port = try FrontDoor.freePort()
        let origin = "http://localhost:\(port)"
        let own = hasListener ? "consoleListen: [\"127.0.0.1:0\"]" : "console: true"
        server = try await ProductionServer(
            in: folder, listen: "127.0.0.1:\(port)", origin: origin, mail: mail, more: own + "\n" + keys, project: project)
        console =
            hasListener
            ? "http://localhost:"
                + (try await server.program.first(#/"message":"console listener started","addresses":\["127\.0\.0\.1:(\d+)"\]/#))
                + "/__/console" : origin + "/__/console"
    }

    /// The configuration of an endpoint for events at which nothing listens.
    static func deafBackEnd(in folder: TemporaryFolder) throws -> String {
        let secret = folder.path + "/events.secret"
        let isWritten = FileManager.default.createFile(
            atPath: secret, contents: Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8), attributes: [.posixPermissions: 0o600])
        try #require(isWritten)
        return "events: [{url: \"http://127.0.0.1:9/\", secret: {file: \"\(secret)\"}}]"
    }

    /// Ends the server after a test.
    func ending(_ test: () async throws -> Void) async throws {
        do { try await test() } catch {
            server.program.signal(SIGKILL)
            throw error
        }
        server.program.signal(SIGKILL)
    }

    func account(_ id: String, _ email: String, _ more: JSON = [:]) async throws {
        try await call("accounts", ["localId": .text(id), "email": .text(email)] + more)
    }

    @discardableResult func call(_ method: String, _ body: JSON) async throws -> JSON {
        let reply = try await server.call(method, body, at: server.adminPort)
        try #require(reply.status == 200)
        return try reply.json
    }

    func stored(_ id: String) async throws -> JSON {
        try await server.call("accounts:lookup", ["localId": .list([.text(id)])], at: server.adminPort).json["users"].list.first ?? .null
    }

    func signIn(permitted operations: [String] = ["read", "write", "create-links"]) async throws {
        let key = try #require(
            try await server.command(["admin-key", "create", "--label", "Desk"] + operations.flatMap { ["--may", $0] }).linesToEnd().first)
        try await browser.open(console)
        try await browser.element("#admin-key").type(key)
        try await browser.element("form button").click()
        try await shows("Newest")
    }

    var view: String { get async throws { try await browser.element("body").text } }

    func shows(_ text: String) async throws {
        _ = try await browser.soon(text) { try await view.contains(text) ? () : nil }
    }

    func go(to fragment: String, showing text: String) async throws {
        try await browser.run("location.hash = '#/shop/' + arguments[0]", .text(fragment))
        try await shows(text)
    }

    func find(_ text: String) async throws {
        try await browser.run("location.hash = '#/shop/find/' + encodeURIComponent(arguments[0])", .text(text))
        _ = try await browser.soon("the search") {
            try await browser.run("return document.getElementById('text')?.value === arguments[0]", .text(text)) == true ? () : nil
        }
    }

    func open(_ text: String, as email: String) async throws {
        try await find(text)
        try await click("td a", showing: email)
        _ = try await browser.soon(email) { try await browser.element("h1").text == email ? () : nil }
    }

    /// Presses a button of a view, says yes, and waits for what is told.
    func press(_ name: String, typing text: String? = nil, then told: String) async throws {
        try await click("main button", showing: name)
        if let text { try await browser.element("#typed").type(text) }
        try await browser.element("dialog button[value=yes]").click()
        try await shows(told)
    }

    /// Clicks the element with this text once it is there, in one step, because the view may be
    /// made anew.
    func click(_ selector: String, showing text: String) async throws {
        let script = """
            const found = [...document.querySelectorAll(arguments[0])].find((one) => one.textContent === arguments[1]);
            found?.click();
            return Boolean(found);
            """
        _ = try await browser.soon(text) { try await browser.run(script, .text(selector), .text(text)) == true ? () : nil }
    }
}
