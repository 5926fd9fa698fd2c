import Foundation
import Testing

/// A web app on an origin of its own, which asks Onward what Firebase's JavaScript SDK would ask. Source: wire/clients.md, 1.2 and 1.3.
struct ClientPage: Sendable {
    private let browser: Browser
    /// Where it is, and where its mails lead back to.
    let address: String

    /// Opens it with nobody signed in.
    init(for person: Stage.Person, on stage: Stage) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "client.html")
        let html = try String(contentsOf: file, encoding: .utf8).replacing("ONWARD", with: person.onward.origin)
        await stage.landing.serve(html, at: "/client")
        browser = person.browser
        address = await stage.landing.address("/client")
        try await open()
        try await browser.run("localStorage.clear()")
        try await open()
    }

    /// Anew, as the next visit.
    func open() async throws {
        try await browser.open(address)
        try await browser.element("[data-ready]")
    }

    /// Types, presses a button, and reads the line that comes: `did`, what the answer said, and the `user` who is signed in then.
    @discardableResult
    func press(_ deed: String, email: String? = nil, password: String? = nil, name: String? = nil) async throws -> JSON {
        let line = try await line(of: deed, email, password, name)
        try #require(line["error"] == .null, "\(line)")
        return line
    }

    /// The same, for what must be refused, with the SDK's word for why.
    func expectRefusal(
        _ code: String, of deed: String, email: String? = nil, password: String? = nil, name: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let line = try await line(of: deed, email, password, name)
        #expect(line["error"].text == code, "\(line)", sourceLocation: sourceLocation)
    }

    /// What cannot be read is not refused for the page: it sees no more than that the network failed.
    func expectReadable(_ deed: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let error = try await line(of: deed, nil, nil, nil)["error"].text
        #expect(error != nil && error != "network-request-failed", "\(error ?? "no error")", sourceLocation: sourceLocation)
    }

    private func line(of deed: String, _ email: String?, _ password: String?, _ name: String?) async throws -> JSON {
        for (id, text) in [("email", email), ("password", password), ("name", name)] {
            guard let text else { continue }
            try await browser.run("document.getElementById(arguments[0]).value = ''", .text(id))
            try await browser.element("#\(id)").type(text)
        }
        let before = try await browser.elements("li").count
        try await browser.element("#\(deed)").click()
        let line = try await browser.element("li:nth-child(\(before + 1))").text
        return try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
    }
}
