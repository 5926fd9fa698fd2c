import Foundation

/// One browser with one window.
struct Browser: Sendable {
    /// What the browser or its driver objects to.
    struct Objection: Error, CustomStringConvertible {
        let description: String
    }

    let session: String

    /// How long to wait for what must come: long, for a busy machine; a page that is right answers at once.
    private static let patience = Duration.seconds(60)

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

    // MARK: Pages

    func open(_ address: String) async throws { try await ask("POST", "/url", ["url": .text(address)]) }
    func back() async throws { try await ask("POST", "/back", [:]) }

    var address: String { get async throws { try await ask("GET", "/url").text ?? "" } }
    var title: String { get async throws { try await ask("GET", "/title").text ?? "" } }
    /// The document as it stands now.
    var source: String { get async throws { try await ask("GET", "/source").text ?? "" } }

    /// Waits until the address is as wanted.
    func arrive(at isWanted: @Sendable (String) -> Bool) async throws -> String {
        try await eventually("the address") {
            let address = try await address
            return isWanted(address) ? address : nil
        }
    }

    func arrive(at address: String) async throws { _ = try await arrive { $0 == address } }

    /// Runs the body of a function in the page; also where pages may not run scripts of their own.
    @discardableResult func run(_ script: String, _ arguments: JSON...) async throws -> JSON {
        try await ask("POST", "/execute/sync", ["script": .text(script), "args": .list(arguments)])
    }

    /// Asks until there is an answer.
    func eventually<Value>(_ what: String, _ look: () async throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now + Self.patience
        var objection: (any Error)?
        while ContinuousClock.now < deadline {
            do { if let value = try await look() { return value } } catch { objection = error }
            try await Task.sleep(for: .milliseconds(20))
        }
        let why = objection.map { ", \($0)" } ?? ""
        throw Objection(description: "\(what) did not come\(why); at \(try await address):\n\(try await source)")
    }

    // MARK: Hands

    /// The first that a CSS selector finds, once there is one.
    @discardableResult func element(_ selector: String) async throws -> Element {
        try await eventually(selector) { try await elements(selector).first }
    }

    func elements(_ selector: String) async throws -> [Element] {
        try await ask("POST", "/elements", ["using": "css selector", "value": .text(selector)]).list.compactMap {
            $0[Element.key].text.map { Element(browser: self, id: $0) }
        }
    }

    /// Presses keys, one after the other, wherever the focus is.
    func press(_ keys: String...) async throws {
        let actions: [JSON] = keys.flatMap { key in ["keyDown", "keyUp"].map { ["type": .text($0), "value": .text(key)] } }
        try await ask("POST", "/actions", ["actions": [["type": "key", "id": "keys", "actions": .list(actions)]]])
    }

    // MARK: Chromium's own

    /// A command of the DevTools protocol.
    @discardableResult func devTools(_ command: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await ask("POST", "/goog/cdp/execute", ["cmd": .text(command), "params": parameters])
    }

    /// What the console said since the last time: violations of the content security policy, failures to load, errors of scripts.
    func complaints() async throws -> [String] {
        try await ask("POST", "/se/log", ["type": "browser"]).list.map { $0["message"].text ?? "" }
    }

    /// The requests that were sent since the last time.
    func requests() async throws -> [JSON] {
        try await ask("POST", "/se/log", ["type": "performance"]).list.compactMap {
            let message = try JSONDecoder().decode(JSON.self, from: Data(($0["message"].text ?? "").utf8))["message"]
            return message["method"] == "Network.requestWillBeSent" ? message["params"]["request"] : nil
        }
    }
}

/// Something on a page.
struct Element: Sendable {
    static let key = "element-6066-11e4-a52e-4f735466cecf"

    let browser: Browser
    let id: String

    /// As an argument of a script.
    var json: JSON { [Self.key: .text(id)] }

    func click() async throws { try await ask("POST", "/click", [:]) }
    func type(_ text: String) async throws { try await ask("POST", "/value", ["text": .text(text)]) }

    var text: String { get async throws { try await ask("GET", "/text").text ?? "" } }
    func property(_ name: String) async throws -> JSON { try await ask("GET", "/property/\(name)") }
    func attribute(_ name: String) async throws -> String? { try await ask("GET", "/attribute/\(name)").text }

    @discardableResult private func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await browser.ask(method, "/element/\(id)\(path)", body)
    }
}
