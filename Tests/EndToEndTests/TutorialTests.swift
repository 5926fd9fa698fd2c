import Foundation
import Testing
import Vectors
import World

extension `Onward from end to end`.`In the browser` {
    /// The page of `Docs/Tutorial.md`, as it stands but for the addresses of this machine, with the
    /// unmodified SDK in place of the copy on Google's servers.
    @Suite(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence))) struct `The app of the tutorial` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        /// The one that the text proposes.
        private let email: String
        /// The one without an account.
        private let stranger: String
        private var browser: Browser { user.browser }

        init() async throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/Tutorial.md")
            let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
            email = String(try #require(text.firstMatch(of: #/Type an address, such as `(.*?)`/#)?.1))
            stranger = String(try #require(text.firstMatch(of: #/Type `(.*?)`, and ask again/#)?.1))
            let page = try #require(text.firstMatch(of: #/(?s)```html\n(.*?)```/#)?.1)
            var script = String(try #require(text.firstMatch(of: #/(?s)```js\n(.*?)```/#)?.1))
            for (written, real) in [
                ("https://www.gstatic.com/firebasejs/12.18.0/firebase-app.js", "/sdk/firebase-12.18.0.js"),
                ("https://www.gstatic.com/firebasejs/12.18.0/firebase-auth.js", "/sdk/firebase-12.18.0.js"),
                ("http://localhost:8080", user.server.origin),
            ] {
                try #require(script.contains(written))
                script = script.replacing(written, with: real)
            }
            let sdk = String(decoding: try Vectors.bytes("sdk/firebase-12.18.0.js"), as: UTF8.self)
            await environment.landing.serve(sdk, at: "/sdk/firebase-12.18.0.js", as: "text/javascript")
            await environment.landing.serve(script, at: "/app.js", as: "text/javascript")
            await environment.landing.serve(String(page), at: "/")
        }

        /// Other tests find the usual page again.
        private func restoreLanding() async { await environment.landing.serveNothing(at: "/") }

        private func type(_ text: String, into field: String) async throws {
            try await browser.run("document.getElementById(arguments[0]).value = ''", .text(field))
            try await browser.element("#" + field).type(text)
        }

        private func says(_ text: String) async throws {
            try await browser.soon("\"\(text)\"") {
                try await browser.run("return document.getElementById('state')?.textContent ?? ''").text == text ? () : nil
            }
        }

        private func mailArrives(_ kind: String) async throws {
            try await browser.soon("the mail \(kind)") {
                let messages = try await HTTP.send("GET", user.server.origin + "/inbox/messages.json").json["messages"].list
                return messages.contains { $0["to"].text == email && $0["kind"].text == kind } ? () : nil
            }
        }

        /// Follows the link of the newest mail in the inbox, in another tab, and does what its page
        /// asks.
        private func follow(_ visit: () async throws -> Void) async throws {
            let own = try await browser.tab
            try await browser.openTab()
            try await browser.open(user.server.origin + "/inbox")
            for (address, text) in [("/inbox/", email), ("/__/auth/action", "")] {
                let link = try await browser.run(
                    """
                    return [...document.querySelectorAll('a')].find(link =>
                      link.href.includes(arguments[0]) && link.textContent.includes(arguments[1]))?.href
                    """, .text(address), .text(text))
                try await browser.open(try #require(link.text, "\(address) \(text)"))
            }
            try await visit()
            try await browser.closeTab()
            try await browser.change(to: own)
        }

        @Test func `signs up, confirms, resets and signs in with Google`() async throws {
            try await browser.open(environment.landing.address("/"))
            try await browser.element("#leave").click()
            try await says("Signed out")

            try await type(email, into: "email")
            try await type("correct horse 7", into: "password")
            try await browser.element("#signUp").click()
            try await says("\(email) is signed in, and not confirmed yet")
            try await mailArrives("verifyEmail")
            try await follow {
                try await user.press()
                // A tab that is closed before may not have sent the press.
                try await browser.arrive(at: environment.landing.address("/"))
            }
            try await says("\(email) is signed in, and confirmed")

            try await browser.element("#leave").click()
            try await says("Signed out")
            try await browser.element("#forgot").click()
            try await says("Look into your inbox")
            try await mailArrives("resetPassword")
            try await follow {
                try await browser.element("input[type=password]").type("another horse 8")
                try await user.pressAndGoOn(to: environment.landing.address("/"))
            }
            try await type("another horse 8", into: "password")
            try await browser.element("#signIn").click()
            try await says("\(email) is signed in, and confirmed")
            let account = try await user.api.get("lookup", ["email": [.text(email)]], asAdmin: true)["users"].list[0]["localId"]

            try await browser.element("#leave").click()
            try await says("Signed out")
            try await browser.inWindow {
                try await browser.element("#google").click()
            } visit: {
                try await browser.signInAtProvider(as: email)
            }
            try await says("\(email) is signed in, and confirmed")
            let found = try await user.api.get("lookup", ["email": [.text(email)]], asAdmin: true)["users"].list[0]
            #expect(found["localId"] == account && found["providerUserInfo"].list.count == 2, "\(found)")
            try await browser.element("#leave").click()
            try await says("Signed out")
            await restoreLanding()
        }

        @Test func `says that an address has no account, in development`() async throws {
            try await browser.open(environment.landing.address("/"))
            try await type(stranger, into: "email")
            try await browser.element("#forgot").click()
            try await says("auth/user-not-found")
            await restoreLanding()
        }
    }
}
