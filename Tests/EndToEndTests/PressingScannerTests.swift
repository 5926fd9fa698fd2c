import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// Sandboxes of mail gateways open links in a browser, press the buttons and submit the forms
    /// of their pages (V10).
    @Suite struct `A scanner that presses` {
        let browser: Browser

        init() throws { browser = try BrowserEnvironment.current().user(hasScripts: true).browser }

        /// The sample accounts with a mail for each action.
        static let mails = [
            ("verifyEmail", "ada@example.com"), ("resetPassword", "ada@example.com"), ("signIn", "barbara@example.com"),
            ("verifyAndChangeEmail", "alan.turing@example.com"), ("recoverEmail", "grace@example.com"),
            ("revertSecondFactorAddition", "edsger@example.com"),
        ]
        /// The addresses that the accounts have, would get, or had.
        static let addresses = [
            "ada@example.com", "barbara@example.com", "alan@example.com", "alan.turing@example.com", "grace@example.com",
            "grace.hopper@example.com", "edsger@example.com",
        ]

        /// V10: with and without pauses; and the user can do it afterwards.
        @Test(arguments: mails) func `changes nothing`(_ kind: String, _ address: String) async throws {
            try await atServer(pressingFirst: (kind, address)) { user in
                let mail = try await user.api.mail(kind, to: address)
                let link = try #require(mail.link)
                let before = try await accounts(user)
                try await crawl(link)
                try await browser.open(link)
                try await isShown(for: 2.5)
                try await browser.element("main form button.button").click()
                try await crawl(link)
                #expect(try await accounts(user) == before)
                #expect(try await user.api.isAlive(mail.code))

                guard kind != "resetPassword", kind != "signIn" else { return }
                try await browser.open(link)
                try await browser.element("#number").type(try #require(mail.number))
                try await browser.element("main form button.button").click()
                try await browser.soon("the end of the code") { try await user.api.isAlive(mail.code) ? nil : () }
                #expect(try await accounts(user) != before)
            }
        }

        /// V10: a person reads the mail and the page.
        @Test func `is not a person who presses after two seconds`() async throws {
            try await atServer("automatic") { user in
                let mail = try await user.api.mail("verifyEmail", to: "ada@example.com")
                let started = ContinuousClock.now
                try await browser.open(try #require(mail.link))
                try await browser.soon("ten seconds since the mail") { ContinuousClock.now - started > .seconds(10) ? () : nil }
                try await isShown(for: 2)
                try await browser.element("main form button.button").click()
                try await browser.soon("the end of the code") { try await user.api.isAlive(mail.code) ? nil : () }
                #expect(try await browser.elements("#number").isEmpty)
            }
        }

        /// Starts a server for one test.
        private func atServer(_ confirmBy: String, _ body: (BrowserUser) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let server = try await DevServer(in: folder, "--confirm-by", confirmBy)
            do { try await body(BrowserUser(server: server, browser: browser, hasScripts: true)) } catch {
                print(folder.log)
                await server.kill()
                throw error
            }
            await server.kill()
        }

        /// Starts a server and presses the button of a sample mail at once. If that took so long
        /// that a person could have pressed, the same is tried at a server that always asks.
        private func atServer(pressingFirst mail: (kind: String, to: String), _ body: (BrowserUser) async throws -> Void) async throws {
            let started = ContinuousClock.now
            var wasFast = false
            try await atServer("automatic") { user in
                try await user.follow(mail.kind, to: mail.to)
                try await user.press()
                _ = try await browser.elements("main")
                wasFast = ContinuousClock.now - started < .seconds(10)
                if wasFast { try await body(user) }
            }
            if !wasFast { try await atServer("number", body) }
        }

        /// Presses every button and submits every form of the page behind a link, each on a page of
        /// its own, and every form of the page that comes next.
        private func crawl(_ link: String) async throws {
            let controls = "button, a.button, summary"
            try await browser.open(link)
            for index in try await browser.elements(controls).indices {
                try await browser.open(link)
                try await browser.run(
                    "document.querySelectorAll(arguments[0])[arguments[1]].click()", .text(controls), .number(Double(index)))
                try await submits(0)
            }
            try await browser.open(link)
            for index in try await browser.elements("form").indices {
                try await browser.open(link)
                try await submits(index)
                try await submits(0)
            }
        }

        /// Fills in a form and submits it, past the checks of the browser.
        private func submits(_ index: Int) async throws {
            try await browser.element("body")
            try await browser.run(
                """
                const form = document.forms[arguments[0]];
                if (!form) return;
                for (const field of form.querySelectorAll("input:not([type=hidden])")) field.value = "x";
                form.submit();
                """, .number(Double(index)))
            try await browser.element("body")
        }

        private func isShown(for seconds: Double) async throws {
            let since = try await browser.run("return performance.now()")
            try await browser.soon("\(seconds) seconds") {
                try await browser.run("return performance.now() - arguments[0] > arguments[1]", since, .number(seconds * 1000)) == true
                    ? () : nil
            }
        }

        /// Everything that admins see of the sample accounts.
        private func accounts(_ user: BrowserUser) async throws -> JSON {
            try await user.api.get("lookup", ["email": .list(Self.addresses.map { .text($0) })], asAdmin: true)["users"]
        }
    }
}
