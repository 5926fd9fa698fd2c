import Accounts
import Base
import HTTPTypes
import Logging
import Synchronization
import Testing
import World
@testable import Web

@Suite struct `The log` {
    /// O1: no code, password, token, address or link of a request is repeated.
    @Test func `repeats no secret`() async throws {
        let lines = Lines()
        let visitor = try await Visitor(try await World(), logger: lines.logger)
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/canary-path?canary-query"
        var secrets = ["ada@app.example", "canary", "a quiet long phrase"]
        for action in Action.allCases {
            let world = visitor.world
            let code =
                action == .resetPassword
                ? try await world.issue(action, settings: settings) : try #require(try await world.send(action, settings: settings))
            secrets.append(code.text)
            let page = await visitor.open(code, action, extra: "&continueUrl=canary&lang=canary")
            secrets += Form(page.text)?.fields.filter { $0.0 == "token" }.map(\.1) ?? []
            let reply = try await visitor.press(page, typing: [("newPassword", "a quiet long phrase")])
            if let location = reply.location, location.hasPrefix("/") { _ = await visitor.ask(.get, location) }
            _ = await visitor.ask(.post, "/__/auth/action", body: "mode=\(action.rawValue)&oobCode=\(code.text)&token=canary&apiKey=canary")
            _ = await visitor.open(code, action)
        }
        _ = await visitor.ask(.get, "/canary\u{1b}[31m", headers: [.authorization: "Bearer canary", .userAgent: "canary"])
        _ = await visitor.ask(.get, "/__/auth/links?link=https%3A%2F%2Fcanary.example%2F", host: "links.example")
        let text = lines.text
        #expect(text.contains("action applied") && text.contains("link with an API key that no project lists"))
        // The host of a refused link is named, so that an operator can tell what to allow.
        let rest = text.replacing("canary.example", with: "")
        for secret in secrets { #expect(!rest.contains(secret), "\(secret)") }
    }

    /// O1: not even if it is the id of an imported account.
    @Test func `repeats no address`() async throws {
        let lines = Lines()
        let visitor = try await Visitor(try await World(), logger: lines.logger)
        let world = visitor.world
        let hash = try await world.passwords.hash("a quiet long phrase")
        let account = try await world.account("grace@app.example", id: "Grace@app.example") { $0.passwordHash = hash }
        let request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        let code = try #require(try await world.accounts.send(request)?.code)
        #expect(try await visitor.press(await visitor.open(code, .verifyEmail)).status == 303)
        let signedIn = await visitor.ask(
            .post, "/v1/accounts:signInWithPassword?key=shop-key",
            body: #"{"email":"grace@app.example","password":"a quiet long phrase"}"#, headers: [.contentType: "application/json"])
        #expect(signedIn.status == 200)
        #expect(lines.text.contains("action applied") && lines.text.contains("call answered"))
        #expect(!lines.text.lowercased().contains("grace"))
    }

    /// O2: in `client`, bounded and escaped, wherever a client may put it.
    @Test func `has what a client chose only where it is marked`() async throws {
        let lines = Lines()
        let long = String(repeating: "z", count: 1_000)
        let text = WebURL.percentEncoded("canary\u{1b}[31m\u{202e}" + long)
        var world = try await World { $0.authorizedDomains = try AuthorizedDomains(["app.example", "canary.example"]) }
        var settings = ActionCodeSettings()
        settings.url = "https://canary.app.example/"
        let applied = try await world.issue(.verifyEmail, settings: settings)
        settings.url = "https://canary.example/"
        let unauthorized = try #require(try await world.send(.resetPassword, settings: settings))
        world.project.authorizedDomains = try AuthorizedDomains(["app.example"])
        let visitor = try await Visitor(world, logger: lines.logger)
        _ = try await visitor.press(await visitor.open(applied, .verifyEmail))
        _ = try await visitor.press(await visitor.open(unauthorized, .resetPassword), typing: [("newPassword", "a quiet long phrase")])
        _ = await visitor.open(unauthorized, .resetPassword)

        for path in ["/canary", "/\(text)", "/canary/../\(long)", "/v1/projects/canary/accounts:lookup", "/v1/projects/\(text)/config"] {
            for method in [HTTPRequest.Method.get, .post, .put, .options] { _ = await visitor.ask(method, path, body: text) }
        }
        for name in ["User-Agent", "Referer", "Origin", "Accept-Language", "Content-Type", "Authorization", "X-Forwarded-For", "Cookie"] {
            _ = await visitor.ask(.post, "/__/auth/action", headers: [HTTPField.Name(name)!: "canary \(long)"])
            _ = await visitor.ask(.post, "/v1/accounts:signUp?key=shop-key", body: "{}", headers: [HTTPField.Name(name)!: "canary \(long)"])
        }
        _ = await visitor.ask(.get, "/", host: "canary.example")
        for name in ["mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId", "token"] {
            let link = visitor.path(applied, .verifyEmail).replacing(try Regex("\\b\(name)=[^&]*"), with: "") + "&\(name)=\(text)"
            _ = await visitor.ask(.get, link)
            _ = await visitor.ask(.post, "/__/auth/action", body: String(link.split(separator: "?")[1]))
        }
        for parameter in ["link", "apn", "ibi", "isi", "ius", "ifl", "afl", "ofl", "amv", "imv"] {
            let first = parameter == "link" ? "" : "link=https%3A%2F%2Fapp.example%2F&"
            for value in [text, "canary", "https%3A%2F%2Fcanary.example"] {
                _ = await visitor.ask(
                    .get, "/__/auth/links?\(first)apn=com.example.shop&ibi=com.example.shop&\(parameter)=\(value)", host: "links.example")
                _ = await visitor.ask(.get, "/__/auth/links?\(first)\(parameter)=\(value)", host: "links.example")
            }
        }
        let fields = [
            "email", "newEmail", "password", "oobCode", "idToken", "token", "requestType", "continueUrl", "localId", "displayName",
        ]
        let body = "{" + fields.map { "\"\($0)\":\"canary\\u001b \(long)\"" }.joined(separator: ",") + "}"
        for method in [
            "sendOobCode", "signUp", "signInWithPassword", "resetPassword", "update", "lookup", "delete", "signInWithCustomToken", "canary",
        ] {
            for key in ["shop-key", "canary"] {
                _ = await visitor.ask(.post, "/v1/accounts:\(method)?key=\(key)", body: body, headers: [.contentType: "application/json"])
            }
        }

        var marked: Set<String> = []
        for (message, metadata) in lines.events {
            #expect(!message.contains("canary"))
            for (key, value) in metadata where key != "client" { #expect(!"\(value)".contains("canary"), "\(message): \(key)") }
            guard case .dictionary(let members)? = metadata["client"] else { continue }
            for (name, value) in members {
                let text = "\(value)"
                #expect(text.utf8.count <= ClientText.maxBytes + 3, "\(message): \(name)")
                #expect(text.unicodeScalars.allSatisfy { (" "..."~").contains($0) || $0 == "…" }, "\(message): \(name)")
                if text.contains("canary") { marked.insert("\(message): \(name)") }
            }
        }
        #expect(
            marked == [
                "request answered: path", "action applied: continueHost", "continue URL refused: reason", "app link refused: reason",
            ])
    }

    /// O3: the account, the action, the source and the result.
    @Test func `names each action with its account, source and request`() async throws {
        let lines = Lines()
        let visitor = try await Visitor(try await World(), logger: lines.logger)
        let code = try await visitor.world.issue(.verifyEmail)
        _ = try await visitor.press(await visitor.open(code, .verifyEmail))
        let line = try #require(lines.text.split(separator: "\n").first { $0.contains("action applied") })
        for part in ["action=verifyEmail", "account=ada", "project=shop", "peer=192.0.2.7", "request="] { #expect(line.contains(part)) }
    }

    /// O3: every request is one line with its status and size, and without its query.
    @Test func `has one line for each request`() async throws {
        let lines = Lines()
        let visitor = try await Visitor(try await World(), logger: lines.logger)
        for (method, bytes) in [(HTTPRequest.Method.get, 3), (.head, 0)] {
            _ = await visitor.ask(method, "/healthz?canary")
            let line = try #require(lines.text.split(separator: "\n").last)
            for part in [
                "request answered", "bytes=\(bytes)", "method=\(method)", "ms=", #"client=["path": "/healthz"]"#, "peer=192.0.2.7",
                "request=",
                "status=200",
            ] { #expect(line.contains(part), "\(part)") }
        }
        #expect(lines.text.split(separator: "\n").count == 2 && !lines.text.contains("canary"))
    }

    /// O4: the response has a request id, but not the cause.
    @Test func `has the causes that responses leave out`() async throws {
        let lines = Lines()
        let cause = "SQLite 10: disk I/O error in /var/lib/onward"
        let visitor = try await Visitor(try await World(), logger: lines.logger) { () throws(ActionError) in
            throw .unavailable(Unavailable(.store, cause: cause))
        }
        let reply = await visitor.ask(.get, "/readyz")
        #expect(reply.status == 503)
        #expect(!reply.text.contains("SQLite"))
        #expect(lines.text.contains(cause))
    }

    /// D5: the page says when to try again, but not the cause.
    @Test func `has the causes that pages leave out`() async throws {
        let lines = Lines()
        let site = try await Visitor(try await World(), logger: lines.logger).site
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/__/auth/action")
        let context = PageContext(Request(head: head, bodyLength: 0, peer: "192.0.2.7", id: "id", listener: .front))
        let error = RequestError.failed(.unavailable(Unavailable(.store, cause: "SQLite 13")))
        let response = site.actionPages.renderer.error(error, context)
        #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "5")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("SQLite") && lines.text.contains("SQLite 13"))
    }
}

/// Collects log lines.
final class Lines: Sendable {
    private let collected = Mutex<[(message: String, metadata: Logger.Metadata)]>([])

    var events: [(message: String, metadata: Logger.Metadata)] { collected.withLock(\.self) }

    /// The lines as text.
    var text: String {
        events.map { event in
            let fields = event.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            return "\(event.message) \(fields)"
        }.joined(separator: "\n")
    }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.collected.withLock { $0.append(("\(event.message)", event.metadata ?? [:])) } }
    }
}
