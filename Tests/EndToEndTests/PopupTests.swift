import Foundation
import Testing
import Vectors

extension `Onward from end to end`.`In the browser` {
    /// `onwardResolver` of `/onward.js` for the unmodified SDK, with a provider that `onward dev`
    /// plays. Each response of `onward dev` cuts the tie to the opener, as many providers do.
    @Suite(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence))) struct `A web app with popups` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        private let email = "popup-\(UUID().uuidString.prefix(8).lowercased())@example.com"

        init() async throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        private func page(
            _ way: PopupPage.Way = .initialize, sdk: String = "12.18.0", _ parameters: String = "", opener: String? = nil
        ) async throws -> PopupPage {
            try await PopupPage(way, sdk: sdk, parameters, opener: opener, at: user.server.origin, in: user.browser, on: environment)
        }

        @Test(arguments: ["10.0.0", "11.0.0", "12.18.0"], [PopupPage.Way.initialize, .compat])
        func `signs in, by each SDK`(_ sdk: String, _ way: PopupPage.Way) async throws {
            let page = try await page(way, sdk: sdk)
            // Browsers block a window that opens in a later task than that of the click.
            try await user.browser.run(
                """
                let isLate;
                document.addEventListener("click", () => { isLate = false; setTimeout(() => { isLate = true; }); }, true);
                const usual = window.open;
                window.open = (...values) => { globalThis.openedLate = isLate; return usual(...values); };
                """)
            let line = try await page.popup(as: email)
            #expect(try await user.browser.run("return openedLate") == false)
            #expect(line["email"].text == email && line["uid"].text != nil && line["operation"].text == "signIn", "\(line)")
            try await page.isAlone()
        }

        @Test(arguments: [PopupPage.Way.argument, .patch])
        func `signs in, by each way to the resolver`(_ way: PopupPage.Way) async throws {
            let page = try await page(way)
            #expect(try await page.popup(as: email)["email"].text == email)
        }

        @Test(arguments: ["same-origin", "same-origin-allow-popups", "unsafe-none"])
        func `signs in, whatever its opener policy`(_ policy: String) async throws {
            let page = try await page(opener: policy)
            #expect(try await page.popup(as: email)["email"].text == email)
            #expect(try await user.browser.complaints().filter { $0.contains("Content Security Policy") || $0.contains("frame") } == [])
        }

        @Test func `sends nothing to anyone else`() async throws {
            let page = try await page()
            _ = try await user.browser.requests()
            try await page.popup(as: email)
            let hosts = Set(try await user.browser.requests().compactMap { URL(string: $0["url"].text ?? "")?.host() })
            #expect(hosts.contains("localhost") && hosts.isSubset(of: ["127.0.0.1", "localhost"]))
        }

        @Test func `links, and asks once more`() async throws {
            let page = try await page()
            try await page.press("signInAnonymously")
            let anonymous = try await page.line("signInAnonymously")
            let linked = try await page.popup("linkPopup", as: email)
            #expect(linked["uid"] == anonymous["uid"] && linked["operation"].text == "link", "\(linked)")
            #expect(try await page.popup("reauthPopup", as: email)["operation"].text == "reauthenticate")
            #expect(try await page.popup("reauthPopup", as: "other-" + email)["error"].text == "auth/user-mismatch")

            try await page.press("signOut")
            _ = try await page.line("signOut")
            try await page.open()
            try await page.press("signInAnonymously")
            _ = try await page.line("signInAnonymously")
            #expect(try await page.popup("linkPopup", as: email)["error"].text == "auth/credential-already-in-use")
        }

        @Test(arguments: [PopupPage.Way.initialize, .compat])
        func `signs in, links and asks once more by a redirect, and its address stays clean`(_ way: PopupPage.Way) async throws {
            let page = try await page(way)
            try await page.press("redirect")
            try await page.sign(in: email)
            try await page.isReady()
            let line = try await page.line("result")
            #expect(line["email"].text == email && line["operation"].text == "signIn", "\(line)")
            #expect(try await user.browser.address == page.address)
            #expect(try await user.browser.run("return Object.keys(sessionStorage).filter(key => !key.startsWith('firebase:'))") == [])

            try await page.press("reauthRedirect")
            try await page.sign(in: email)
            try await page.isReady()
            #expect(try await page.line("result")["operation"].text == "reauthenticate")

            try await page.press("signOut")
            _ = try await page.line("signOut")
            try await page.press("signInAnonymously")
            let anonymous = try await page.line("signInAnonymously")
            try await page.press("linkRedirect")
            try await page.sign(in: "link-" + email)
            try await page.isReady()
            let linked = try await page.line("result")
            #expect(linked["uid"] == anonymous["uid"] && linked["operation"].text == "link", "\(linked)")
        }

        @Test func `gets no result of a redirect to a provider that its user left`() async throws {
            let page = try await page()
            try await page.press("redirect")
            _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
            try await user.browser.back()
            try await page.open()
            #expect(try await page.line("result")["uid"] == .null)
        }

        @Test func `comes back to a page of its own`() async throws {
            let page = try await page(.initialize, "&callback")
            #expect(try await page.popup(as: email)["email"].text == email)
            try await page.press("signOut")
            _ = try await page.line("signOut")
            try await page.press("redirect")
            try await page.sign(in: email)
            try await page.isReady()
            #expect(try await page.line("result")["email"].text == email)
            let address = try await user.browser.address
            #expect(address.contains("/back?") && address.hasSuffix("&own=1"), "\(address)")
        }

        @Test func `hears that the user denied`() async throws {
            let page = try await page()
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
                try await user.browser.element("button[value=deny]").click()
            }
            #expect(try await page.line("popup")["error"].text == "auth/user-cancelled")
        }

        /// The window looks closed from the beginning, since its page cut the tie.
        @Test func `waits for a user who needs longer than the SDK waits for a closed window`() async throws {
            let page = try await page()
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
                try await Task.sleep(for: .seconds(14))
                #expect(try await user.browser.tabs.count == 2)
                try await page.sign(in: email)
            }
            #expect(try await page.line("popup")["email"].text == email)
        }

        /// A headless browser gives every page the focus, which a window takes away from the app.
        @Test(arguments: [true, false])
        func `hears that the user closed the window`(_ isTieCut: Bool) async throws {
            let page = try await page()
            let place = isTieCut ? "/emulator/provider" : "/tied"
            if isTieCut {
                try await user.browser.run("document.hasFocus = () => false")
            } else {
                let provider = await environment.landing.address("/tied")
                try await user.browser.run(
                    """
                    const usual = window.fetch;
                    window.fetch = async (url, options) => {
                        const answer = await usual(url, options);
                        if (!String(url).includes("createAuthUri")) return answer;
                        const json = await answer.json();
                        return Response.json({ ...json, authUri: arguments[0] + new URL(json.authUri).search });
                    };
                    """.replacing("arguments[0]", with: "\"\(provider)\""))
            }
            let own = try await user.browser.tab
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains(place) }
                // The app looks at the window twice a second.
                try await Task.sleep(for: .seconds(2))
                try await user.browser.closeTab()
                try await user.browser.change(to: own)
                try await user.browser.run("document.hasFocus = () => true")
            }
            #expect(try await page.line("popup")["error"].text == "auth/popup-closed-by-user")
        }

        @Test func `ends the first window by a second`() async throws {
            let page = try await page()
            try await page.press("twice")
            #expect(try await page.line("first")["error"].text == "auth/cancelled-popup-request")
            let own = try await user.browser.tab
            let window = try await user.browser.soon("the second window alone") {
                let others = try await user.browser.tabs.filter { $0 != own }
                return others.count == 1 ? others[0] : nil
            }
            try await user.browser.change(to: window)
            try await page.sign(in: email)
            try await user.browser.change(to: own)
            #expect(try await page.line("second")["email"].text == email)
        }

        /// The tie to the first window is cut, so that the app cannot close it.
        @Test func `lets a former window close once its user is back`() async throws {
            let page = try await page()
            let own = try await user.browser.tab
            var former = ""
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
                former = try await user.browser.tab
            }
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
                try await user.browser.change(to: former)
                try await page.sign(in: "former-" + email)
                try await user.browser.soon("the second window alone") { try await user.browser.tabs.count == 2 ? () : nil }
                let second = try #require(try await user.browser.tabs.first { $0 != own })
                try await user.browser.change(to: second)
                try await page.sign(in: email)
            }
            let lines = try await user.browser.soon("the lines of both calls") {
                let lines = try await page.lines()
                return lines.count == 2 ? lines : nil
            }
            #expect(lines.map { $0["error"].text } == ["auth/cancelled-popup-request", nil], "\(lines)")
            #expect(lines[1]["email"].text == email)
        }

        @Test func `hears that the browser blocked the window`() async throws {
            let page = try await page()
            // A browser that is driven blocks nothing.
            try await user.browser.run("window.open = () => null")
            try await page.press("popup")
            #expect(try await page.line("popup")["error"].text == "auth/popup-blocked")
        }

        @Test func `without an authDomain gets an error for a redirect`() async throws {
            let page = try await page(.initialize, "&noDomain")
            try await page.press("redirect")
            #expect(try await page.line("redirect")["error"].text == "auth/auth-domain-config-required")
        }

        @Test func `hears that the server cannot be reached`() async throws {
            let page = try await page()
            try await user.browser.run("globalThis.host = sdk.auth.config.apiHost; sdk.auth.config.apiHost = '127.0.0.1:1'")
            try await page.press("popup")
            #expect(try await page.line("popup")["error"].text == "auth/network-request-failed")
            #expect(try await user.browser.tabs.count == 1)
            // Once it can be reached again, it is asked again.
            try await user.browser.run("sdk.auth.config.apiHost = host; document.querySelector('ol').textContent = ''")
            #expect(try await page.popup(as: email)["email"].text == email)
        }

        /// Each tab takes the answer to its own visit.
        @Test func `signs in in two tabs at once`() async throws {
            let page = try await page()
            let first = try await user.browser.tab
            try await page.inWindow(of: "popup") {
                let window = try await user.browser.tab
                try await user.browser.openTab()
                let second = try await user.browser.tab
                try await page.open()
                #expect(try await page.popup(as: "second-" + email)["email"].text == "second-" + email)
                #expect(Set(try await user.browser.tabs) == [first, window, second])
                try await user.browser.closeTab()
                try await user.browser.change(to: first)
                #expect(try await page.lines().isEmpty)
                try await user.browser.change(to: window)
                try await page.sign(in: email)
            }
            #expect(try await page.line("popup")["email"].text == email)
        }

        @Test func `signs in to each of two apps on one page`() async throws {
            let page = try await page()
            try await page.popup(as: email)
            #expect(try await page.popup("otherPopup", as: "other-" + email)["email"].text == "other-" + email)
            let both = "return [sdk.auth, sdk.other].map(auth => auth.currentUser?.email ?? '')"
            #expect(try await user.browser.run(both).texts == [email, "other-" + email])

            try await page.press("otherRedirect")
            try await page.sign(in: "third-" + email)
            try await page.isReady()
            #expect(try await page.line("result")["email"] == .null)
            #expect(try await page.line("otherResult")["email"].text == "third-" + email)
            #expect(try await user.browser.run(both).texts == [email, "third-" + email])
        }

        /// Apple posts its answers, from a page of another site.
        @Test func `signs in with an answer that is posted`() async throws {
            let page = try await page()
            try await page.inWindow(of: "popup") {
                let provider = try await user.browser.arrive { $0.contains("/emulator/provider") }
                let state = URLComponents(string: provider)?.queryItems?.first { $0.name == "state" }?.value
                let token = try Self.unsignedToken(of: email)
                try await user.browser.open(environment.landing.address("/", host: "shop.localhost"))
                try await user.browser.run(
                    """
                    const form = Object.assign(document.createElement("form"), { method: "post", action: arguments[0] });
                    for (const [name, value] of [["state", arguments[1]], ["id_token", arguments[2]]]) {
                        form.append(Object.assign(document.createElement("input"), { name, value }));
                    }
                    document.body.append(form);
                    form.submit();
                    """, .text(user.server.origin + "/__/auth/handler"), .text(state ?? ""), .text(token))
            }
            #expect(try await page.line("popup")["email"].text == email)
        }

        /// An ID token as `onward dev` takes it.
        private static func unsignedToken(of email: String) throws -> String {
            let claims: JSON = ["sub": .text(email), "email": .text(email), "email_verified": true]
            let parts = [Data(#"{"alg":"none"}"#.utf8), try JSONEncoder().encode(claims)].map {
                $0.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            }
            return parts.joined(separator: ".") + "."
        }

        /// I19: an attacker's answer signs no user in, whether the app waits for one or not.
        @Test func `takes no answer to a visit that another page began`() async throws {
            let page = try await page()
            let reply = try await user.api.get(
                "createAuthUri",
                ["providerId": "google.com", "returnUri": .text(page.bareAddress), "sessionId": "the attacker's"])
            let visit = try #require(URLComponents(string: reply["authUri"].text ?? ""))
            let state = try #require(visit.queryItems?.first { $0.name == "state" }?.value)
            let token = try Self.unsignedToken(of: "evil@example.com")
            let lure = "\(user.server.origin)/__/auth/handler?state=\(state)&id_token=\(token)"
            try await user.browser.open(lure)
            try await page.isReady()
            try await page.expectNobody()
            #expect(try await user.browser.address == page.bareAddress)

            // The same while the app waits for the answer to its own visit.
            try await page.inWindow(of: "popup") {
                _ = try await user.browser.arrive { $0.contains("/emulator/provider") }
                try await user.browser.open(lure)
                try await page.isReady()
                try await page.expectNobody()
                try await user.browser.back()
                try await user.browser.back()
                try await page.sign(in: email)
            }
            #expect(try await page.line("popup")["email"].text == email)
        }
    }
}
