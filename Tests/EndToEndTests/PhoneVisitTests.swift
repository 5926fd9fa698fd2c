import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// Apps on phones with `onward dev`: their SDKs open its page in a browser, and wait for a link
    /// that opens the app.
    @Suite struct `A phone's app with a provider` {
        private let user: BrowserUser
        private let email = "phone-\(UUID().uuidString.prefix(8).lowercased())@example.com"

        init() throws { user = try BrowserEnvironment.current().user(hasScripts: true) }

        /// The link that the browser follows after the developer pressed a button of the page that
        /// plays a provider.
        private func link(_ app: String, press button: String = "button.button") async throws -> String {
            let hash = "261305762671a58cae5b74990bcfc236c2336fb04a0fbac626166d9491d2884c"
            let query = "apiKey=any-key&authType=signInWithRedirect&v=x&eventId=QWERTZUIOP&providerId=google.com&sessionId=\(hash)" + app
            // A tab that was sent to an app opens no other page.
            let own = try await user.browser.tab
            try await user.browser.openTab()
            try await user.browser.open(user.server.origin + "/emulator/auth/handler?" + query)
            _ = try await user.browser.arrive { $0.contains("/emulator/provider?") }
            try await user.browser.run("document.querySelector('#email').value = arguments[0]", .text(email))
            _ = try await user.browser.requests()
            try await user.browser.element(button).click()
            let link = try await user.browser.soon("the link") {
                try await user.browser.requests().map { ($0["url"].text ?? "") + ($0["urlFragment"].text ?? "") }.first {
                    !$0.hasPrefix("http")
                }
            }
            try await user.browser.closeTab()
            try await user.browser.change(to: own)
            return link
        }

        /// Sends the URL that was in the link, as the app does.
        private func signIn(with answer: String?) async throws -> HTTP.Reply {
            try await HTTP.send(
                "POST", "\(user.server.origin)/v1/accounts:signInWithIdp?key=any-key",
                json: [
                    "requestUri": .text(try #require(answer)), "sessionId": "ABCDEFGHIJ", "postBody": "providerId=google.com",
                    "returnSecureToken": true,
                ])
        }

        private func item(_ name: String, of url: String?) -> String? {
            url.flatMap { URLComponents(string: $0) }?.queryItems?.first { $0.name == name }?.value
        }

        @Test func `signs in on Apple's systems, or hears that the user denied`() async throws {
            let app = "&ibi=com.example.shop&appId=1:42:ios:ab12"
            let link = try await link(app)
            #expect(link.hasPrefix("app-1-42-ios-ab12://firebaseauth/link?"))
            let callback = item("deep_link_id", of: link)
            #expect(item("eventId", of: callback) == "QWERTZUIOP" && item("authType", of: callback) == "signInWithRedirect")
            let done = try await signIn(with: item("link", of: callback))
            #expect(try done.status == 200 && done.json["email"].text == email, "\(done.body)")

            let denied = try await self.link(app, press: "button[value=deny]")
            let refused = try await signIn(with: item("link", of: item("deep_link_id", of: denied)))
            #expect(refused.status == 400 && refused.body.contains("USER_CANCELLED"), "\(refused.body)")
        }

        @Test func `signs in on Android`() async throws {
            let link = try await link("&apn=com.example.shop")
            #expect(link.hasPrefix("intent://firebase.auth/#Intent;scheme=genericidp;package=com.example.shop;"))
            let answer = link.split(separator: ";").first { $0.hasPrefix("S.link=") }?.dropFirst("S.link=".count)
            let done = try await signIn(with: answer.flatMap { String($0).removingPercentEncoding })
            #expect(try done.status == 200 && done.json["email"].text == email, "\(done.body)")
        }
    }
}
