import Foundation
import HTTPTypes
import Testing
import Vectors

/// A web app with popups and redirects to providers, on the unmodified JavaScript SDK. Its provider
/// is the page of `onward dev` that plays one.
struct PopupPage: Sendable {
    let browser: Browser
    let address: String

    /// Without its query, as users come back to it.
    var bareAddress: String { String(address.prefix { $0 != "?" }) }

    /// The ways in which an app takes Onward's resolver.
    enum Way: String, CaseIterable { case initialize = "init", argument, patch, compat }

    /// Opens the app without a signed-in user, in the only tab.
    /// - Parameters:
    ///   - parameters: more of the query, which `popup.js` reads.
    ///   - onward: the server's origin.
    ///   - host: the name of this machine in the app's address.
    init(
        _ way: Way = .initialize, sdk: String = "12.18.0", _ parameters: String = "", opener: String? = nil, at onward: String,
        host: String = "127.0.0.1", in browser: Browser, on environment: BrowserEnvironment
    ) async throws {
        let (folder, landing) = (URL(filePath: #filePath).deletingLastPathComponent(), environment.landing)
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).replacing("ONWARD", with: onward)
        }
        let policy = """
            default-src 'none'; script-src 'self' \(onward); connect-src \(onward); style-src 'unsafe-inline'; \
            frame-src 'none'
            """
        var headers: HTTPFields = [.contentSecurityPolicy: policy]
        if let opener { headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] = opener }
        for path in ["/popups", "/back"] { await landing.serve(try text("popup.html"), at: path, headers: headers) }
        await landing.serve(try text("popup.js"), at: "/popup.js", as: "text/javascript")
        let file = (way == .compat ? "firebase-compat-" : "firebase-") + sdk + ".js"
        await landing.serve(String(decoding: try Vectors.bytes("sdk/" + file), as: UTF8.self), at: "/sdk/" + file, as: "text/javascript")
        self.browser = browser
        address = await landing.address("/popups?sdk=\(sdk)&way=\(way.rawValue)\(parameters)", host: host)
        try await closeOthers()
        // A page without the SDK, which would store its user again.
        try await browser.open(landing.address("/", host: host))
        try await browser.run("sessionStorage.clear()")
        try await open()
    }

    /// Closes the windows that an earlier test left open.
    private func closeOthers() async throws {
        let tabs = try await browser.tabs
        let own = tabs[0]
        for tab in tabs.dropFirst() {
            do {
                try await browser.change(to: tab)
                try await browser.closeTab()
            } catch is Browser.Objection {}  // It closed by itself.
        }
        try await browser.change(to: own)
    }

    /// Opens the app, and waits until the SDK has looked for the result of a redirect.
    func open() async throws {
        try await browser.open(address)
        try await isReady()
    }

    /// Waits until no window is open beside the app.
    func isAlone() async throws { try await browser.soon("the window to close") { try await browser.tabs.count == 1 ? () : nil } }

    func isReady() async throws { try await browser.element("[data-ready]") }

    func press(_ call: String) async throws {
        try await browser.run("document.querySelector('ol').textContent = ''")
        try await browser.element("#" + call).click()
    }

    /// No result of a redirect came, and no user is signed in.
    func expectNobody() async throws {
        let line = try await line("result")
        #expect(line["error"] == .null && line["uid"] == .null && line["present"] == .null, "\(line)")
    }

    /// The line of a call, once it has ended.
    func line(_ name: String) async throws -> JSON {
        try await browser.soon("the line of \(name)") {
            let lines = try await lines()
            return lines.last { $0["name"].text == name }
        }
    }

    func lines() async throws -> [JSON] {
        try await browser.run("return [...document.querySelectorAll('li')].map(item => item.dataset.line)").texts.map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
    }

    /// Presses a button that opens a window, does what is wanted there, and looks at the app again.
    func inWindow(of call: String, _ visit: () async throws -> Void) async throws {
        try await browser.inWindow(of: { try await press(call) }, visit: visit)
    }

    /// Types a user at the provider.
    func sign(in email: String) async throws { try await browser.signInAtProvider(as: email) }

    /// Signs in, links or reauthenticates by a window.
    @discardableResult func popup(_ call: String = "popup", as email: String) async throws -> JSON {
        try await inWindow(of: call) { try await sign(in: email) }
        return try await line(call)
    }
}

extension Browser {
    /// Does something that opens a window, then something in it, and looks at the first window
    /// again.
    func inWindow(of open: () async throws -> Void, visit: () async throws -> Void) async throws {
        let own = try await tab
        let before = Set(try await tabs)
        try await open()
        let window = try await soon("the window") { try await tabs.first { !before.contains($0) } }
        try await change(to: window)
        try await visit()
        try await change(to: own)
    }

    /// Types a user at the page of `onward dev` that plays a provider.
    func signInAtProvider(as email: String) async throws {
        _ = try await arrive { $0.contains("/emulator/provider") }
        try await run("document.querySelector('#email').value = arguments[0]", .text(email))
        try await element("button.button").click()
    }
}
