import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// The tasks of people who help users, in the console of `onward serve`.
    @Suite struct `A day of support` {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func atDesk(
            mail: String = #"{from: shop@example.com, relays: [{url: "smtp://127.0.0.1:9"}]}"#, more keys: String = "",
            project: String = "",
            hasListener: Bool = true, _ test: (SupportDesk) async throws -> Void
        ) async throws {
            let desk = try await SupportDesk(in: folder, mail: mail, more: keys, project: project, hasListener: hasListener)
            try await desk.ending { try await test(desk) }
        }

        @Test func `a key that only reads finds a mistyped address, and sees no button that changes`() async throws {
            try await atDesk { desk in
                try await desk.account("ada", "ada.lovelace@example.com", ["displayName": "Ada"])
                try await desk.signIn(permitted: ["read"])
                try await desk.open("ada.lovelcae@example.com", as: "ada.lovelace@example.com")
                try await desk.shows("Can sign in by link.")
                try await desk.shows("The address is not verified.")
                for button in try await desk.browser.elements("main button") { Issue.record("a button: \(try await button.text)") }
                #expect(try await desk.view.contains("(reads only)"))
                // As when a phone wakes: its timers stood still.
                try await desk.browser.run("const now = Date.now; Date.now = () => now() + 29 * 60000; dispatchEvent(new Event('focus'))")
                #expect(try await desk.view.contains("(reads only)"))
                try await desk.browser.run("const now = Date.now; Date.now = () => now() + 2 * 60000; dispatchEvent(new Event('focus'))")
                try await desk.shows("The key was forgotten after 30 minutes without use.")
                try await desk.signIn(permitted: ["read"])
                try await desk.browser.element("#key button").click()
                try await desk.shows("The key was forgotten.")
                #expect(try await desk.browser.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0)
            }
        }

        @Test func `a whole key helps, and what it did is recorded with its name`() async throws {
            try await atDesk(hasListener: false) { desk in
                try await desk.account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                try await desk.signIn(permitted: ["read", "write", "create-links"])
                try await desk.open("ada", as: "ada@example.com")
                try await desk.press("Send a password reset", then: "The mail waits to be sent to ada@example.com.")
                try await desk.shows("Waits")
                try await desk.press("Confirm the address by hand", then: "The address is verified.")
                #expect(try await desk.stored("ada")["emailVerified"] == true)
                try await desk.press("Disable", then: "The account is disabled.")
                try await desk.shows("Disabled: its user cannot sign in.")
                #expect(try await desk.stored("ada")["disabled"] == true)
                try await desk.press("Enable", then: "The account is enabled.")
                try await desk.press("End all sessions", then: "All sessions were ended.")
                try await desk.press("Delete", typing: "ada@example.com", then: "ada@example.com was deleted.")
                #expect(try await desk.stored("ada") == .null)
                let methods = try await desk.server.audit().filter { $0["actor"].text?.hasSuffix("Desk") == true }
                    .compactMap { $0["method"].text }
                for method in ["findAccounts", "inspectAccount", "sendOobCode", "update", "delete"] {
                    #expect(methods.contains(method), "\(method)")
                }
            }
        }

        @Test func `a link is handed over once, and the phone that was lost is removed`() async throws {
            try await atDesk { desk in
                try await desk.account("ada", "ada@example.com", ["emailVerified": true, "password": "a quiet long phrase"])
                let factor: JSON = ["enrollments": [["phoneInfo": "+15555550100", "displayName": "Old phone"]]]
                try #require(
                    try await desk.server.call("accounts:update", ["localId": "ada", "mfa": factor], at: desk.server.adminPort).status
                        == 200)
                try await desk.signIn(permitted: ["read", "write", "create-links"])
                try await desk.open("ada@", as: "ada@example.com")
                try await desk.shows("Old phone")
                try await desk.press("Remove", then: "The second factor was removed.")
                #expect(try await desk.stored("ada")["mfaInfo"].list.isEmpty)
                try await desk.press("Make a link: password reset", then: "It is shown only now.")
                let link = try #require(try await desk.browser.element("#link").property("value").text)
                #expect(link.hasPrefix("http://localhost:\(desk.server.port)/__/auth/action?"))
                try await desk.browser.element("dialog .quiet").click()
                try await desk.shows("The link was made.")
                #expect(try await !desk.browser.source.contains("oobCode="))
                try await desk.browser.open(link)
                #expect(try await desk.browser.element("main").text.contains("ada@example.com"))
            }
        }

        @Test func `the keyboard is enough`() async throws {
            try await atDesk { desk in
                try await desk.account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                let key = try #require(try await desk.server.command(["admin-key", "create"]).linesToEnd().first)
                try await desk.browser.open(desk.console)
                let (tab, enter) = ("\u{E004}", "\u{E007}")
                try await desk.browser.press(key.map { String($0) } + [enter])
                try await desk.shows("Newest")
                try await desk.browser.press("a", "d", "a", "@", enter)
                try await desk.shows("Found")
                // The search, its button, the table, the account.
                try await desk.browser.press(tab, tab, tab, tab, enter)
                try await desk.shows("Send a password reset")
                // The focus is at the account, and its first button is next.
                try await desk.browser.press(tab, enter)
                try await desk.shows("Send a password reset to ada@example.com?")
                try await desk.browser.press(enter)
                try await desk.shows("The mail waits to be sent to ada@example.com.")
            }
        }

        /// Texts of users, of their devices and of relays are never markup.
        @Test func `hostile texts stay texts`() async throws {
            try await atDesk { desk in
                let vectors = [
                    "<img src=x onerror=\"window.harmed=1\">", "\"><script>window.harmed=1</script>", "javascript:window.harmed=1",
                    "<svg/onload=window.harmed=1>", "</td></table><iframe srcdoc='<script>parent.harmed=1</script>'>", "{{7*7}}${7*7}",
                    "<b onmouseover=window.harmed=1>Ada</b>", "\u{202E}<a href=//evil.example>",
                ]
                for (index, vector) in vectors.enumerated() {
                    try await desk.account("u\(index)", "u\(index)@example.com", ["displayName": .text(vector)])
                }
                try await desk.signIn(permitted: ["read"])
                for (index, vector) in vectors.enumerated() {
                    try await desk.open("u\(index)@example.com", as: "u\(index)@example.com")
                    try await desk.shows(vector.trimmingPrefix("\u{202E}").description)
                }
                for text in vectors.prefix(3) {
                    try await desk.find(text)
                    try await desk.shows("No account is like this.")
                }
                #expect(
                    try await desk.browser.run(
                        "return window.harmed === undefined && document.querySelectorAll('img, svg, iframe, body script').length") == 0)
            }
        }

        @Test(.enabled(if: OtherServers.axe != nil, "axe-core is not installed; Scripts/test installs it"))
        func `axe finds nothing`() async throws {
            let axe = try String(contentsOfFile: try #require(OtherServers.axe), encoding: .utf8)
            try await atDesk { desk in
                try await desk.account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                try await desk.browser.open(desk.console)
                try await expectNothing(of: axe, desk, at: "the sign-in")
                try await desk.signIn(permitted: ["read", "write", "create-links"])
                try await expectNothing(of: axe, desk, at: "the search")
                try await desk.open("ada", as: "ada@example.com")
                try await desk.press("Send a password reset", then: "The mail waits")
                try await expectNothing(of: axe, desk, at: "the account")
                for (place, text) in [("overview", "Runs since"), ("mails", "Given up"), ("events", "No event waits."), ("audit", "Who")] {
                    try await desk.go(to: place, showing: text)
                    try await expectNothing(of: axe, desk, at: place)
                }
            }
        }

        private func expectNothing(of axe: String, _ desk: SupportDesk, at place: String) async throws {
            let faults = try await desk.browser.run(
                """
                \(axe)
                return window.axe.run(document, { resultTypes: ["violations"] })
                    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 120)));
                """
            ).texts
            #expect(faults.isEmpty, "\(place): \(faults.joined(separator: "; "))")
        }

        /// The answer of a relay, in its words, and from there to the account.
        @Test(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing)))
        func `a mail that was given up leads to its account and to the relay's reason`() async throws {
            let relay = try await MailRelay(refusing: "552 5.2.2 mailbox full <img src=x onerror=window.harmed=1>")
            defer { relay.program.signal(SIGKILL) }
            try await atDesk(mail: "{from: shop@example.com, relays: [{url: \"smtp://127.0.0.1:\(relay.port)\"}]}") { desk in
                try await desk.account("ada", "ada@example.com")
                _ = try await desk.server.askForReset(of: "ada@example.com")
                try await desk.signIn()
                _ = try await desk.browser.soon("the end of the mail") {
                    try await desk.server.output(of: "mail", "trace", "ada@example.com").contains { $0.contains("parked") } ? () : nil
                }
                try await desk.go(to: "overview", showing: "mailbox full")
                let plot = try #require(
                    try await desk.browser.run("return document.querySelector('.plot').getAttribute('aria-label')").text)
                #expect(plot.hasSuffix(": 1 not sent"), "\(plot)")
                try await desk.go(to: "mails", showing: "552 5.2.2 mailbox full <img src=x onerror=window.harmed=1>")
                try await desk.click("td a", showing: "ada")
                try await desk.shows("Can sign in by link.")
                try await desk.shows("Given up")
                #expect(
                    try await desk.browser.run("return window.harmed === undefined && document.querySelectorAll('img').length === 0")
                        == true)
            }
        }

        @Test(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing)))
        func `an address that was suppressed by mistake gets mails again`() async throws {
            let relay = try await MailRelay()
            defer { relay.program.signal(SIGKILL) }
            let reports = try SignedReports(in: folder)
            let mail = "{from: shop@example.com, relays: [{url: \"smtp://127.0.0.1:\(relay.port)\"}], feedback: \(reports.setting)}"
            try await atDesk(mail: mail) { desk in
                try await desk.account("ada", "ada@example.com")
                // Only an address that got a mail can bounce.
                _ = try await desk.server.askForReset(of: "ada@example.com")
                let mail = try await relay.next()
                let bounce = #"{"type":"mail.bounced","data":{"to":"ada@example.com","permanent":true}}"#
                let host = "localhost:\(desk.server.port)"
                #expect(try await reports.post("report-1", bounce, to: desk.server, host: host).status == 200)
                try await desk.signIn()
                try await desk.open("ada@", as: "ada@example.com")
                try await desk.shows("Gets no mails: its mailbox was reported missing")
                try await desk.press("Send a password reset", then: "The mail was not written")
                try await desk.press("Send mails again", then: "Mails are sent to ada@example.com again.")
                #expect(try await !desk.view.contains("Gets no mails"))
                try await desk.press("Send a password reset", then: "The mail waits to be sent to ada@example.com.")
                #expect(try await relay.next(besides: [mail]).recipient == "ada@example.com")
            }
        }

        @Test func `an invitation is sent again, a provider is removed, and a merge is undone`() async throws {
            try await atDesk { desk in
                try await desk.call("accounts:invite", ["email": "new@example.com"])
                try await desk.account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                let google: JSON = ["providerId": "google.com", "rawId": "1234", "email": "ada@gmail.example"]
                try await desk.call("accounts:update", ["localId": "ada", "linkProviderUserInfo": google])
                try await desk.account("old", "old@example.com")
                try await desk.call("accounts:merge", ["localId": "ada", "fromLocalId": "old"])
                try await desk.signIn()
                try await desk.open("new@", as: "new@example.com")
                try await desk.shows("Invited ")
                try await desk.press("Send the invitation again", then: "The invitation waits to be sent to new@example.com.")
                try await desk.open("ada@", as: "ada@example.com")
                try await desk.shows("The project has switched off Google.")
                try await desk.press("Undo the merge", then: "There are two accounts again.")
                #expect(try await desk.stored("old")["email"] == "old@example.com")
                try await desk.press("Remove", then: "Google was removed.")
                #expect(try await !desk.stored("ada")["providerUserInfo"].list.contains { $0["providerId"] == "google.com" })
            }
        }

        @Test func `a sign-in link is sent to a page of the app, and a refusal is told`() async throws {
            try await atDesk { desk in
                try await desk.account("ada", "ada@example.com")
                try await desk.signIn()
                try await desk.open("ada@", as: "ada@example.com")
                try await desk.click("main button", showing: "Send a sign-in link")
                #expect(try await desk.browser.element("#asked").property("value").text == "https://example.com/")
                try await desk.browser.run("document.getElementById('asked').value = 'https://example.com.evil/'")
                try await desk.browser.element("dialog button[value=yes]").click()
                try await desk.shows("No authorised domain covers example.com.evil")
                try await desk.press("Send a sign-in link", then: "The mail waits to be sent to ada@example.com.")
            }
        }

        @Test func `an event that no back end took is sent again`() async throws {
            try await atDesk(more: try SupportDesk.deafBackEnd(in: folder)) { desk in
                try await desk.account("ada", "ada@example.com")
                try await desk.signIn()
                try await desk.go(to: "events", showing: "account.created")
                _ = try await desk.browser.soon("the first attempt") {
                    try await desk.browser.run("dispatchEvent(new Event('hashchange'))")
                    return try await desk.view.contains("Waits for another attempt") ? () : nil
                }
                try await desk.press("Send again", then: "The event waits to be sent.")
                try await desk.click("td a", showing: "ada")
                try await desk.shows("Events for back ends")
                #expect(try await desk.server.audit().contains { $0["method"] == "retryEvent" })
            }
        }

        @Test func `a key of every project chooses one, and a key of one sees no other`() async throws {
            let blog = "}\n  - {id: blog, displayName: Blog, apiKeys: [blog-key-1], authorizedDomains: [blog.example.com]"
            try await atDesk(more: try SupportDesk.deafBackEnd(in: folder), project: blog) { desk in
                try await desk.account("ada", "ada@example.com")
                try await desk.signIn()
                try await desk.browser.run(
                    "const choice = document.getElementById('project'); choice.value = 'blog'; choice.dispatchEvent(new Event('change'))")
                try await desk.shows("There is no account yet.")
                #expect(try await desk.browser.run("return location.hash") == "#/blog/find/")
                let key = try #require(
                    try await desk.server.command(["admin-key", "create", "--project", "blog"]).linesToEnd().first)
                func overview(of project: String, by key: String) async throws -> HTTP.Reply {
                    let path = "http://127.0.0.1:\(desk.server.port)/v1/projects/\(project)/overview"
                    let headers = ["Authorization": "Bearer \(key)", "Host": "localhost:\(desk.server.port)"]
                    return try await HTTP.send("GET", path, headers: headers)
                }
                let whole = try #require(try await desk.server.command(["admin-key", "create"]).linesToEnd().first)
                // The back end that does not answer is the server's, and not one project's.
                _ = try await eventually("the warning about events") {
                    try await overview(of: "blog", by: whole).json["warnings"].list.contains {
                        $0["subject"] == "events for http://127.0.0.1:9"
                    }
                        ? () : nil
                }
                let own = try await overview(of: "blog", by: key).json
                #expect(own["concernsServer"] == false && own["counters"].list.isEmpty && own["warnings"].list.isEmpty)
                #expect(try await overview(of: "shop", by: key).status == 403)
                try await desk.browser.element("#key button").click()
                try await desk.browser.element("#admin-key").type(key)
                try await desk.browser.element("form button").click()
                try await desk.shows("There is no account yet.")
                try await desk.browser.run("location.hash = '#/shop/find/ada'")
                try await desk.shows("There is no account yet.")
                #expect(try await desk.browser.run("return document.getElementById('project') === null") == true)
            }
        }

        @Test func `the console has its own listener, and nothing else is there`() async throws {
            try await atDesk(hasListener: true) { desk in
                try await desk.account("ada", "ada@example.com")
                try await desk.signIn()
                try await desk.open("ada@", as: "ada@example.com")
                try await desk.press("Disable", then: "The account is disabled.")
                #expect(try await desk.stored("ada")["disabled"] == true)
                let own = desk.console.replacing("/__/console", with: "")
                #expect(try await HTTP.send("GET", own + "/healthz").status == 404)
                let origin = "http://localhost:\(desk.server.port)"
                #expect(try await HTTP.send("GET", origin + "/healthz").status == 200)
                #expect(try await HTTP.send("GET", origin + "/__/console").status == 404)
            }
        }

        @Test func `the console is off by default`() async throws {
            try await atDesk(hasListener: false) { desk in
                try desk.server.reload(replacing: "console: true", with: "console: false")
                _ = try await desk.browser.soon("the end of the console") {
                    try await HTTP.send("GET", desk.console).status == 404 ? () : nil
                }
                #expect(try await HTTP.send("GET", desk.console + "/console.js").status == 404)
            }
        }
    }
}
