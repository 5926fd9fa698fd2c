import Foundation
import Testing
import Vectors
import World

extension `Onward from end to end`.`In the browser` {
    /// Popups and redirects with a real OpenID provider, `onward serve` and the unmodified SDK. No
    /// party lets others keep a tie to its windows, and no third party may store anything.
    @Suite(
        .enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)),
        .enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing))
    ) final class `A web app with an OpenID provider` {
        private let environment: BrowserEnvironment
        private let browser: Browser
        private let folder: TemporaryFolder
        private let provider: OpenIDProvider
        private let server: ProductionServer
        private let origin: String
        private let socket: ListeningSocket
        private let email = "openid-\(UUID().uuidString.prefix(8).lowercased())@example.com"

        init() async throws {
            environment = try BrowserEnvironment.current()
            browser = try environment.user(hasScripts: true).browser
            folder = try TemporaryFolder()
            provider = try await OpenIDProvider()
            socket = try ListeningSocket()
            origin = "http://localhost:\(socket.port)"
            let secret = folder.path + "/client-secret"
            try #require(
                FileManager.default.createFile(atPath: secret, contents: Data("a secret".utf8), attributes: [.posixPermissions: 0o600]))
            func entry(_ id: String, _ url: String) -> String {
                #"{id: \#(id), url: "\#(url)", clientIDs: [shop-web], clientSecret: {file: "\#(secret)"}, verifiesEmail: true}"#
            }
            let greedy = await environment.landing.address("/greedy")
            server = try await ProductionServer(
                in: folder, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"], sockets: [socket.descriptor], origin: origin,
                domains: "127.0.0.1", project: ", providers: [\(entry("oidc.acme", provider.url)), \(entry("oidc.greedy", greedy))]")
        }

        deinit {
            provider.program.signal(SIGKILL)
            server.program.signal(SIGKILL)
            close(socket.descriptor)
        }

        private func page(
            _ way: PopupPage.Way = .initialize, sdk: String = "12.18.0", provider: String = "oidc.acme", _ parameters: String = "",
            host: String = "127.0.0.1"
        ) async throws -> PopupPage {
            try await PopupPage(
                way, sdk: sdk, "&key=shop-key-1&project=shop&provider=\(provider)\(parameters)", opener: "same-origin", at: origin,
                host: host, in: browser, on: environment)
        }

        /// Types a user at the provider.
        private func sign(in email: String) async throws {
            _ = try await browser.arrive { [provider] in $0.hasPrefix(provider.url) }
            try await browser.element("input[name=sub]").type(email)
            try await browser.element("button[type=submit]").click()
        }

        private func call(_ method: String, _ body: JSON) async throws -> HTTP.Reply {
            try await HTTP.send("POST", "\(origin)/v1/accounts:\(method)?key=shop-key-1", json: body)
        }

        @Test(arguments: ["10.0.0", "11.0.0", "12.18.0"], [PopupPage.Way.initialize, .compat])
        func `signs in by a window and by a redirect`(_ sdk: String, _ way: PopupPage.Way) async throws {
            let page = try await page(way, sdk: sdk, "&scope=address&prompt=login")
            try await page.inWindow(of: "popup") {
                let address = try await browser.arrive { [provider] in $0.hasPrefix(provider.url) }
                let items = URLComponents(string: address)?.queryItems ?? []
                #expect(items.contains(URLQueryItem(name: "scope", value: "openid email profile address")))
                #expect(items.contains(URLQueryItem(name: "prompt", value: "login")))
                #expect(items.contains(URLQueryItem(name: "redirect_uri", value: origin + "/__/auth/handler/shop/oidc.acme")))
                try await sign(in: email)
            }
            let line = try await page.line("popup")
            #expect(line["email"].text == email && line["operation"].text == "signIn", "\(line)")

            try await page.press("reauthRedirect")
            try await sign(in: email)
            try await page.isReady()
            let result = try await page.line("result")
            #expect(result["uid"] == line["uid"] && result["operation"].text == "reauthenticate", "\(result)")
            #expect(try await browser.address == page.address)
        }

        /// I19: an answer works once, in the session that began the visit.
        @Test func `signs nobody in by an answer that is handed in again, or in another session`() async throws {
            let page = try await page()
            _ = try await browser.requests()
            try await page.inWindow(of: "popup") { try await sign(in: email) }
            #expect(try await page.line("popup")["email"].text == email)
            let sent = try await browser.requests()
            let last = try #require(
                sent.last { $0["method"] == "POST" && $0["url"].text?.contains("signInWithIdp") == true }?["postData"].text)
            let again = try JSONDecoder().decode(JSON.self, from: Data(last.utf8))
            let replayed = try await call("signInWithIdp", again)
            #expect(replayed.status == 400 && replayed.body.contains("INVALID_IDP_RESPONSE"), "\(replayed.body)")

            // An attacker begins a visit, and has the code that was made for a victim.
            func visit(_ session: String) async throws -> (page: String, state: String) {
                let reply = try await call(
                    "createAuthUri", ["providerId": "oidc.acme", "returnUri": .text(page.bareAddress), "sessionId": .text(session)])
                let address = try reply.json["authUri"].text ?? ""
                let state = URLComponents(string: address)?.queryItems?.first { $0.name == "state" }?.value
                return (address, try #require(state))
            }
            let (victim, attacker) = (try await visit("the victim's"), try await visit("the attacker's"))
            let answer = try await provider.signIn(email, at: victim.page)
            #expect(answer.contains("code="))
            for (state, session) in [
                (attacker.state, "the attacker's"), (attacker.state, "the victim's"), (victim.state, "the attacker's"),
            ] {
                let injected = answer.replacing(victim.state, with: state)
                let reply = try await call("signInWithIdp", ["requestUri": .text(injected), "sessionId": .text(session)])
                #expect(reply.status == 400 && !reply.body.contains("idToken"), "\(reply.body)")
            }
        }

        /// I19: a provider leads its visitor to another one, to get the answer of that one.
        @Test func `gives no provider the answer of another`() async throws {
            let page = try await page(provider: "oidc.greedy")
            let own = try await call(
                "createAuthUri", ["providerId": "oidc.acme", "returnUri": .text(page.bareAddress), "sessionId": "the attacker's"])
            let other = try own.json["authUri"].text ?? ""
            #expect(other.hasPrefix(provider.url))
            try await serveGreedy(
                token: environment.landing.address("/greedy/token"),
                """
                const other = new URL("\(other)");
                other.searchParams.set("state", new URLSearchParams(location.search).get("state"));
                location.replace(other);
                """)
            // A headless browser gives every page the focus, which a window takes away. The module
            // looks twice a second, and may be slower than this visit.
            try await browser.run("document.hasFocus = () => { window.hasLooked = true; return false; }")
            try await page.inWindow(of: "popup") {
                try await sign(in: email)
                _ = try await browser.arrive { [origin] in $0.hasPrefix(origin + "/__/auth/handler/shop/oidc.acme?code=") }
                #expect(try await browser.element("h1").text == "That did not work")
                try await browser.closeTab()
            }
            try await browser.soon("a look without the focus") { try await browser.run("return window.hasLooked") == true ? () : nil }
            try await browser.run("document.hasFocus = () => true")
            #expect(await environment.landing.visit(to: "/greedy/token") == nil)
            let line = try await page.line("popup")
            #expect(line["error"].text == "auth/popup-closed-by-user" && line["present"] == .null, "\(line)")
        }

        @Test func `hears that its provider cannot be reached`() async throws {
            let page = try await page(provider: "oidc.greedy")
            try await serveGreedy(
                token: "http://localhost:1/token",
                """
                const query = new URLSearchParams(location.search);
                location.replace(query.get("redirect_uri") + "?code=x&state=" + query.get("state"));
                """)
            try await page.press("popup")
            #expect(try await page.line("popup")["error"].text == "auth/network-request-failed")
        }

        @Test func `signs nobody in on a domain that is not the project's`() async throws {
            let page = try await page(host: "localhost")
            try await page.press("popup")
            #expect(try await page.line("popup")["error"].text == "auth/unauthorized-domain")
            try await page.isAlone()
        }

        /// A provider whose page runs this script.
        private func serveGreedy(token: String, _ script: String) async throws {
            let landing = environment.landing
            let (url, page) = (await landing.address("/greedy"), await landing.address("/greedy/page"))
            let document: JSON = [
                "issuer": .text(url), "authorization_endpoint": .text(page), "token_endpoint": .text(token),
                "jwks_uri": .text(url + "/keys"),
            ]
            let json = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
            await landing.forget()
            await landing.serve(json, at: "/greedy/.well-known/openid-configuration", as: "application/json")
            await landing.serve(#"{"keys":[]}"#, at: "/greedy/keys", as: "application/json")
            await landing.serve("<!doctype html><script>\(script)</script>", at: "/greedy/page")
        }
    }
}
