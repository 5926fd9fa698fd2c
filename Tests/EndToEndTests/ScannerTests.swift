import Foundation
import Testing
import Vectors

extension `Onward from end to end`.`In the browser` {
    /// Mail programs and security scanners open links before users do.
    @Suite struct `A scanner` {
        let user: BrowserUser
        let environment: BrowserEnvironment

        init() throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        /// C6: only a press of the button applies a code. C7: a scanner that runs scripts and
        /// presses no button applies nothing. P1: state changes only by a POST with the token or
        /// receipt of the page that it comes from.
        @Test func `changes nothing, and the user's press still works`() async throws {
            let goal = await environment.landing.address("/scanned")
            let ada = try await user.unverified(goingOnTo: goal)
            let mail = try await user.api.mail("verifyEmail", to: ada.email)
            let link = try #require(mail.link)

            for (method, status) in [("HEAD", 200), ("GET", 200), ("GET", 200), ("OPTIONS", 405), ("PUT", 405), ("DELETE", 405)] {
                #expect(try await HTTP.send(method, link).status == status, "\(method)")
            }
            for headers in [
                ["Sec-Purpose": "prefetch"], ["Sec-Purpose": "prefetch;prerender"], ["Purpose": "prefetch"], ["X-Moz": "prefetch"],
                ["If-None-Match": "*"], ["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], ["Range": "bytes=0-10"],
            ] { #expect(try await HTTP.send("GET", link, headers: headers).status == 200, "\(headers)") }
            let query = try #require(URLComponents(string: link)?.queryItems).map { ($0.name, $0.value ?? "") }
            #expect(try await HTTP.post(query, to: user.server.origin + "/__/auth/action").status == 403)
            #expect(try await HTTP.post(query + [("token", "x")], to: link).status == 403)
            #expect(try await HTTP.send("POST", link).status == 415)

            try await loads(link)
            #expect(try await !user.isVerified(ada))
            #expect(try await user.api.isAlive(mail.code))

            try await user.follow("verifyEmail", to: ada.email)
            try await user.press()
            try await user.browser.arrive(at: goal)
            #expect(try await user.isVerified(ada))
        }

        /// C7: pages of every action, loaded with their scripts.
        @Test func `that runs scripts applies no code`() async throws {
            let api = user.api
            let ada = try await user.forgetful(goingOnTo: environment.landing.address("/"))
            try await user.ask("VERIFY_EMAIL", ada)
            try await user.ask("VERIFY_AND_CHANGE_EMAIL", ada, ["newEmail": .text("new-" + ada.email)])
            for (kind, email) in [
                ("resetPassword", ada.email), ("verifyEmail", ada.email), ("verifyAndChangeEmail", "new-" + ada.email),
                ("recoverEmail", "grace@example.com"), ("signIn", "barbara@example.com"),
            ] {
                let mail = try await api.mail(kind, to: email)
                try await loads(try #require(mail.link))
                #expect(try await api.isAlive(mail.code), "\(kind)")
            }
        }

        /// C6: every known scanner's user agent and prefetch header.
        @Test(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) func `of any user agent changes nothing`() async throws {
            struct Names: Decodable {
                struct Name: Decodable { let ua: String }
                let from_lists: [Name]
                let hand_written: [Name]
                let in_app_browsers: [Name]
                let prefetch_headers: [[String: String]]
            }
            let names = try JSONDecoder().decode(Names.self, from: Vectors.bytes("ua/scanners-previews-inapp.json"))
            let ada = try await user.unverified(goingOnTo: environment.landing.address("/"))
            let mail = try await user.api.mail("verifyEmail", to: ada.email)
            let link = try #require(mail.link)
            let agents = (names.from_lists + names.hand_written + names.in_app_browsers).map(\.ua)
            #expect(agents.count == 254)
            for (number, agent) in agents.enumerated() {
                let headers = names.prefetch_headers[number % names.prefetch_headers.count].merging(["User-Agent": agent]) { $1 }
                for method in ["GET", "HEAD", "OPTIONS"] {
                    #expect(try await HTTP.send(method, link, headers: headers).status == (method == "OPTIONS" ? 405 : 200), "\(agent)")
                }
                #expect(try await HTTP.send("POST", link, headers: headers).status == 415)
            }
            #expect(try await !user.isVerified(ada))
            #expect(try await user.api.isAlive(mail.code))
        }

        /// Opens a page and waits until everything that it loads has arrived and its scripts have
        /// run.
        private func loads(_ link: String) async throws {
            try await user.browser.open(link)
            try await user.browser.run(
                """
                return new Promise((done) => {
                    const settled = () => requestIdleCallback(() => requestIdleCallback(done));
                    document.readyState === "complete" ? settled() : addEventListener("load", settled);
                })
                """)
            #expect(try await user.browser.run("return performance.getEntriesByType('resource').every((e) => e.responseEnd > 0)") == true)
        }
    }
}
