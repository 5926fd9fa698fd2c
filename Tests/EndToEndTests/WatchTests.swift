import Foundation
import Testing
import Vectors

extension `Onward from end to end`.`In the browser` {
    /// `watchUser` of `/onward.js`: a page that asks its user to look into the inbox goes on by
    /// itself.
    @Suite(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence))) struct `A web app that waits for a press on a link` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        private let email = "waiting-\(UUID().uuidString.prefix(8).lowercased())@example.com"

        init() async throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        private func page(_ way: PopupPage.Way = .initialize, sdk: String = "12.18.0", _ parameters: String = "") async throws -> PopupPage
        {
            let page = try await PopupPage(
                way, sdk: sdk, "&watch&email=\(email)\(parameters)", at: user.server.origin, in: user.browser, on: environment)
            // A page before this one, whose user was signed in, may have asked until it was left.
            _ = try await watches()
            try await page.press("signUp")
            #expect(try await page.line("signUp")["email"].text == email)
            return page
        }

        private func arrives(_ state: String) async throws {
            try await user.browser.soon("\(state)") {
                try await user.browser.run("return document.body.dataset.verified") == .text(state) ? () : nil
            }
        }

        /// Presses the link in the mail, as on another device.
        private func verify() async throws {
            let link = try await user.api.link("VERIFY_EMAIL", to: email)
            let code = URLComponents(string: link)?.queryItems?.first { $0.name == "oobCode" }?.value
            try await user.api.get("update", ["oobCode": .text(try #require(code))])
        }

        /// Until the page waits: it has asked for its mark, and then for the change.
        private func waits() async throws {
            var count = 0
            try await user.browser.soon("the wait") {
                count += try await watches()
                return count >= 2 ? () : nil
            }
        }

        /// The number of requests since the last look at them.
        private func watches() async throws -> Int {
            try await user.browser.requests().filter { $0["method"] == "POST" && $0["url"].text?.contains("accounts:watch") == true }.count
        }

        @Test(arguments: ["10.0.0", "11.0.0", "12.18.0"], [PopupPage.Way.initialize, .compat])
        func `hears that the address is verified, in the user and in the token`(_ sdk: String, _ way: PopupPage.Way) async throws {
            _ = try await page(way, sdk: sdk)
            try await arrives("false false")
            try await waits()
            try await verify()
            try await arrives("true true")
        }

        @Test func `hears in each tab, of which one waits`() async throws {
            let page = try await page(.initialize, "&shared")
            try await waits()
            let first = try await user.browser.tab
            try await user.browser.openTab()
            try await page.open()
            try await arrives("false false")
            // The second one asks for its mark only.
            var count = 0
            try await user.browser.soon("the mark") {
                count += try await watches()
                return count > 0 ? () : nil
            }
            try await verify()
            try await arrives("true true")
            let second = try await user.browser.tab
            try await user.browser.change(to: first)
            try await arrives("true true")
            // The last tab waits, once the other one is closed.
            try await user.browser.closeTab()
            try await user.browser.change(to: second)
            try await page.press("signOut")
            try await arrives("signed out")
        }

        @Test func `signs the user out when the session ends`() async throws {
            _ = try await page()
            try await waits()
            let account = try await user.api.get("lookup", ["email": [.text(email)]], asAdmin: true)["users"].list[0]
            try await user.api.get("update", ["localId": account["localId"], "disableUser": true], asAdmin: true)
            try await arrives("signed out")
        }

        /// The old session ends before the page has the tokens of the new one.
        @Test func `keeps its user signed in who changes the password`() async throws {
            let page = try await page()
            try await waits()
            try await page.press("changePassword")
            #expect(try await page.line("changePassword")["error"] == .null)
            // The page waits again, with the new session.
            try await user.browser.soon("the next wait") { try await watches() > 0 ? () : nil }
            try await verify()
            try await arrives("true true")
        }

        @Test func `waits no more when it has ended that`() async throws {
            let page = try await page()
            try await waits()
            try await page.press("endWatch")
            try await verify()
            let account = try await user.api.get("lookup", ["email": [.text(email)]], asAdmin: true)["users"].list[0]
            #expect(account["emailVerified"] == true)
            try await page.press("signOut")
            try await arrives("signed out")
            #expect(try await watches() == 0)
        }

        /// Has each page run a script before its own, until `body` has ended.
        private func with(_ script: String, _ body: () async throws -> Void) async throws {
            let added = try await user.browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(script)])
            let failure: (any Error)?
            do {
                try await body()
                failure = nil
            } catch { failure = error }
            try await user.browser.devTools("Page.removeScriptToEvaluateOnNewDocument", ["identifier": added["identifier"]])
            if let failure { throw failure }
        }

        /// Keeps the signals of the waits, and changes the times that are to be waited for.
        private func observed(waiting times: String) -> String {
            """
            const [usualFetch, usualTimer] = [fetch, setTimeout];
            window.waits = [];
            window.fetch = (url, options) => {
                if (String(url).includes("accounts:watch")) waits.push(options.signal);
                return usualFetch(url, options).catch((error) => { window.failures = (window.failures ?? 0) + 1; throw error; });
            };
            window.setTimeout = (work, span, ...more) => usualTimer(work, \(times), ...more);
            """
        }

        @Test(arguments: ["undefined", "{ request: () => Promise.reject(new DOMException('', 'SecurityError')) }"])
        func `hears where the browser gives no locks`(_ locks: String) async throws {
            try await with("Object.defineProperty(navigator, 'locks', { value: \(locks) })") {
                _ = try await page()
                try await waits()
                try await verify()
                try await arrives("true true")
            }
        }

        /// A window that was left for five minutes costs the server nothing.
        @Test func `ends its wait once it is hidden for five minutes, and hears the change when it is shown`() async throws {
            // Five minutes pass at once.
            try await with(observed(waiting: "span === 300_000 ? 1 : span")) {
                _ = try await page()
                try await waits()
                let change = """
                    Object.defineProperty(document, "visibilityState", { value: arguments[0], configurable: true });
                    document.dispatchEvent(new Event("visibilitychange"));
                    """
                try await user.browser.run(change, "hidden")
                try await user.browser.soon("the end of the wait") {
                    try await user.browser.run("return waits.length === 2 && waits[1].aborted") == true ? () : nil
                }
                try await verify()
                #expect(try await user.browser.run("return document.body.dataset.verified") == "false false")
                try await user.browser.run(change, "visible")
                try await arrives("true true")
            }
        }

        @Test func `hears as soon as the browser is online again`() async throws {
            // Two minutes of pauses pass at once, and then no pause ends by itself.
            let pauses = "[1_000, 5_000, 15_000, 60_000].includes(span) ? (window.failures > 5 ? 2 ** 30 : 1) : span"
            try await with(observed(waiting: pauses)) {
                _ = try await page()
                try await waits()
                func change(isOffline: Bool) async throws {
                    try await user.browser.devTools(
                        "Network.emulateNetworkConditions",
                        ["offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
                }
                try await change(isOffline: true)
                // The answer to the wait still comes, and nothing else does.
                try await verify()
                try await user.browser.soon("a request to fail") {
                    try await user.browser.run("return window.failures > 5") == true ? () : nil
                }
                #expect(try await user.browser.run("return document.body.dataset.verified") == "false false")
                try await change(isOffline: false)
                try await arrives("true true")
            }
        }
    }
}
