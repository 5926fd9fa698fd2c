import Foundation
import World

/// One browser with one window. One of its tabs at a time is looked at.
struct Browser: Sendable {
    /// An error of the browser or its driver.
    struct Objection: Error, CustomStringConvertible {
        let description: String
    }

    let session: String

    static func ask(_ method: String, _ address: String, _ body: JSON? = nil) async throws -> JSON {
        let reply =
            if let body { try await HTTP.send(method, address, json: body) } else { try await HTTP.send(method, address) }
        let value = try reply.json["value"]
        guard reply.status == 200 else {
            throw Objection(description: "\(value["error"].text ?? ""): \(value["message"].text?.split(separator: "\n").first ?? "")")
        }
        return value
    }

    @discardableResult func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await Self.ask(method, session + path, body)
    }

    /// Ends the browser, which otherwise ends with its driver.
    func quit() async { _ = try? await ask("DELETE", "") }

    // MARK: Pages

    /// Opens an address and waits until its page is ready for the user.
    func open(_ address: String) async throws {
        try await ask("POST", "/url", ["url": .text(address)])
        try await becomesReady()
    }

    func back() async throws { try await ask("POST", "/back", [:]) }

    var address: String { get async throws { try await ask("GET", "/url").text ?? "" } }
    var title: String { get async throws { try await ask("GET", "/title").text ?? "" } }
    /// The document in its present state.
    var source: String { get async throws { try await ask("GET", "/source").text ?? "" } }

    /// Waits until the page at the wanted address has loaded.
    func arrive(at isWanted: @Sendable (String) -> Bool) async throws -> String {
        try await soon("the address") {
            let (address, isReady) = (try await address, try await isReady)
            return isWanted(address) && isReady ? address : nil
        }
    }

    func arrive(at address: String) async throws { _ = try await arrive { $0 == address } }

    /// Whether the page has loaded and been painted: before that Chromium drops clicks and key
    /// presses.
    private var isReady: Bool {
        get async throws {
            try await run("return document.readyState === 'complete' && performance.getEntriesByType('paint').length > 0") == true
        }
    }

    private func becomesReady() async throws { try await soon("the painted page") { try await isReady ? () : nil } }

    /// Runs the body of a function in the page, even if pages may not run their own scripts.
    @discardableResult func run(_ script: String, _ arguments: JSON...) async throws -> JSON {
        try await ask("POST", "/execute/sync", ["script": .text(script), "args": .list(arguments)])
    }

    /// Waits until `look` returns a value; if none comes before the deadline, the error shows the
    /// page.
    func soon<Value>(_ what: String, _ look: () async throws -> Value?) async throws -> Value {
        do { return try await eventually(what, look) } catch {
            throw Objection(description: "\(error); at \(try await address):\n\(try await source)")
        }
    }

    // MARK: Frames and tabs

    /// Looks into a frame, until another tab or page is chosen.
    func enter(_ frame: Element) async throws { try await ask("POST", "/frame", ["id": frame.json]) }

    /// The tab that is looked at.
    var tab: String { get async throws { try await ask("GET", "/window").text ?? "" } }
    var tabs: [String] { get async throws { try await ask("GET", "/window/handles").texts } }
    func change(to tab: String) async throws { try await ask("POST", "/window", ["handle": .text(tab)]) }
    /// Opens a tab and looks at it.
    func openTab() async throws { try await change(to: try await ask("POST", "/window/new", ["type": "tab"])["handle"].text ?? "") }
    func closeTab() async throws { try await ask("DELETE", "/window") }

    // MARK: Hands

    /// The first element that a CSS selector finds, once there is one.
    @discardableResult func element(_ selector: String) async throws -> Element {
        let element = try await soon(selector) { try await elements(selector).first }
        try await becomesReady()
        return element
    }

    func elements(_ selector: String) async throws -> [Element] {
        try await ask("POST", "/elements", ["using": "css selector", "value": .text(selector)]).list.compactMap {
            $0[Element.key].text.map { Element(browser: self, id: $0) }
        }
    }

    /// Presses keys one after the other; the focused element receives them.
    func press(_ keys: String...) async throws { try await press(keys) }

    func press(_ keys: [String]) async throws {
        let actions: [JSON] = keys.flatMap { key in ["keyDown", "keyUp"].map { ["type": .text($0), "value": .text(key)] } }
        try await ask("POST", "/actions", ["actions": [["type": "key", "id": "keys", "actions": .list(actions)]]])
    }

    // MARK: Chromium's own

    /// A command of the DevTools protocol.
    @discardableResult func devTools(_ command: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await ask("POST", "/goog/cdp/execute", ["cmd": .text(command), "params": parameters])
    }

    /// Sends the fields of another browser, until the next call.
    /// - Parameters:
    ///   - agent: its User-Agent; empty: that of Chromium.
    ///   - touchPoints: how many fingers its screen can tell apart.
    func pretend(agent: String, _ touchPoints: Int = 0) async throws {
        try await devTools("Emulation.setUserAgentOverride", ["userAgent": .text(agent)])
        try await devTools(
            "Emulation.setTouchEmulationEnabled",
            touchPoints == 0 ? ["enabled": false] : ["enabled": true, "maxTouchPoints": .number(Double(touchPoints))])
    }

    /// Console messages since the last call: violations of the content security policy, failures to
    /// load, errors of scripts.
    func complaints() async throws -> [String] {
        try await ask("POST", "/se/log", ["type": "browser"]).list.map { $0["message"].text ?? "" }
    }

    /// Requests sent since the last call.
    func requests() async throws -> [JSON] {
        try await ask("POST", "/se/log", ["type": "performance"]).list.compactMap {
            let message = try JSONDecoder().decode(JSON.self, from: Data(($0["message"].text ?? "").utf8))["message"]
            return message["method"] == "Network.requestWillBeSent" ? message["params"]["request"] : nil
        }
    }
}

/// An element of a page.
struct Element: Sendable {
    static let key = "element-6066-11e4-a52e-4f735466cecf"

    let browser: Browser
    let id: String

    /// The element as an argument of a script.
    var json: JSON { [Self.key: .text(id)] }

    func click() async throws { try await ask("POST", "/click", [:]) }
    func type(_ text: String) async throws { try await ask("POST", "/value", ["text": .text(text)]) }

    var text: String { get async throws { try await ask("GET", "/text").text ?? "" } }
    /// The element as it is painted, as PNG.
    var picture: Data {
        get async throws { Data(base64Encoded: try await ask("GET", "/screenshot").text ?? "") ?? Data() }
    }
    func property(_ name: String) async throws -> JSON { try await ask("GET", "/property/\(name)") }
    func attribute(_ name: String) async throws -> String? { try await ask("GET", "/attribute/\(name)").text }

    @discardableResult private func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await browser.ask(method, "/element/\(id)\(path)", body)
    }
}
