import Foundation
import Testing

/// A web app on its own origin that sends the requests of Firebase's JavaScript SDK to Onward.
struct ClientPage: Sendable {
    private let browser: Browser
    /// The address of the app, which its mails lead back to.
    let address: String

    /// Opens the app without a signed-in user.
    init(for user: BrowserUser, on environment: BrowserEnvironment) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "client.html")
        let html = try String(contentsOf: file, encoding: .utf8).replacing("ONWARD", with: user.server.origin)
        await environment.landing.serve(html, at: "/client")
        browser = user.browser
        address = await environment.landing.address("/client")
        try await open()
        try await browser.run("localStorage.clear()")
        try await open()
    }

    /// Opens the app again, as the next visit does.
    func open() async throws {
        try await browser.open(address)
        try await browser.element("[data-ready]")
    }

    /// Fills in the fields, presses a button, and returns the line that appears: `did`, the
    /// response, and the `user` who is signed in then.
    @discardableResult
    func press(_ call: String, email: String? = nil, password: String? = nil, name: String? = nil) async throws -> JSON {
        let line = try await line(of: call, email, password, name)
        try #require(line["error"] == .null, "\(line)")
        return line
    }

    /// Presses a button for a request that must be refused with this error code of the SDK.
    func expectRefusal(
        _ code: String, of call: String, email: String? = nil, password: String? = nil, name: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let line = try await line(of: call, email, password, name)
        #expect(line["error"].text == code, "\(line)", sourceLocation: sourceLocation)
    }

    /// Presses a button for a request that must be refused with a response that the page may read.
    /// Without CORS headers the page would see only a failed network.
    func expectReadable(_ call: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let error = try await line(of: call, nil, nil, nil)["error"].text
        #expect(error != nil && error != "network-request-failed", "\(error ?? "no error")", sourceLocation: sourceLocation)
    }

    private func line(of call: String, _ email: String?, _ password: String?, _ name: String?) async throws -> JSON {
        for (id, text) in [("email", email), ("password", password), ("name", name)] {
            guard let text else { continue }
            try await browser.run("document.getElementById(arguments[0]).value = ''", .text(id))
            try await browser.element("#\(id)").type(text)
        }
        let before = try await browser.elements("li").count
        try await browser.element("#\(call)").click()
        let line = try await browser.element("li:nth-child(\(before + 1))").text
        return try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
    }
}
