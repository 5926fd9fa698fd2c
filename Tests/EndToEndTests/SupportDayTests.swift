import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// The tasks of people who help users, in the console of `onward serve`.
    @Suite struct `A day of support` {
        private let browser: Browser
        private let folder: TemporaryFolder
        private let server: ProductionServer
        private let origin: String

        init() async throws {
            browser = try BrowserEnvironment.current().user(hasScripts: true).browser
            folder = try TemporaryFolder()
            let port = try FrontDoor.freePort()
            origin = "http://localhost:\(port)"
            server = try await ProductionServer(
                in: folder, listen: "127.0.0.1:\(port)", origin: origin,
                mail: #"{from: shop@example.com, relays: [{url: "smtp://127.0.0.1:9"}]}"#, more: "console: true")
        }

        private func ending(_ test: () async throws -> Void) async throws {
            do { try await test() } catch {
                server.program.signal(SIGKILL)
                throw error
            }
            server.program.signal(SIGKILL)
        }

        private func account(_ id: String, _ email: String, _ more: JSON = [:]) async throws {
            let created = try await server.call("accounts", ["localId": .text(id), "email": .text(email)] + more, at: server.adminPort)
            try #require(created.status == 200)
        }

        private func stored(_ id: String) async throws -> JSON {
            try await server.call("accounts:lookup", ["localId": .list([.text(id)])], at: server.adminPort).json["users"].list.first
                ?? .null
        }

        private func signIn(permitted operations: [String]) async throws {
            let words = ["admin-key", "create", "--label", "Desk"] + operations.flatMap { ["--may", $0] }
            let key = try #require(try await server.command(words).linesToEnd().first)
            try await browser.open(origin + "/__/console")
            try await browser.element("#admin-key").type(key)
            try await browser.element("form button").click()
            try await shows("Newest")
        }

        private var view: String { get async throws { try await browser.element("body").text } }

        private func shows(_ text: String) async throws {
            _ = try await browser.soon(text) { try await view.contains(text) ? () : nil }
        }

        private func find(_ text: String) async throws {
            try await browser.run("location.hash = '#/shop/find/' + encodeURIComponent(arguments[0])", .text(text))
            _ = try await browser.soon("the search") {
                try await browser.run("return document.getElementById('text')?.value === arguments[0]", .text(text)) == true ? () : nil
            }
        }

        private func open(_ text: String, as email: String) async throws {
            try await find(text)
            try await click("td a", showing: email)
            _ = try await browser.soon(email) { try await browser.element("h1").text == email ? () : nil }
        }

        /// Presses a button of the account, and says yes.
        private func press(_ name: String, typing text: String? = nil, then told: String) async throws {
            try await click("main button", showing: name)
            if let text { try await browser.element("#typed").type(text) }
            try await browser.element("dialog button[value=yes]").click()
            try await shows(told)
        }

        /// Clicks the element with this text once it is there, in one step, because the view may be
        /// made anew.
        private func click(_ selector: String, showing text: String) async throws {
            let script = """
                const found = [...document.querySelectorAll(arguments[0])].find((one) => one.textContent === arguments[1]);
                found?.click();
                return Boolean(found);
                """
            _ = try await browser.soon(text) { try await browser.run(script, .text(selector), .text(text)) == true ? () : nil }
        }

        @Test func `a key that only reads finds a mistyped address, and sees no button that changes`() async throws {
            try await ending {
                try await account("ada", "ada.lovelace@example.com", ["displayName": "Ada"])
                try await signIn(permitted: ["read"])
                try await open("ada.lovelcae@example.com", as: "ada.lovelace@example.com")
                try await shows("Has no password, no provider and no phone number")
                try await shows("The address is not verified.")
                for button in try await browser.elements("main button") { Issue.record("a button: \(try await button.text)") }
                #expect(try await view.contains("(reads only)"))
                // As when a phone wakes: its timers stood still.
                try await browser.run("const now = Date.now; Date.now = () => now() + 29 * 60000; dispatchEvent(new Event('focus'))")
                #expect(try await view.contains("(reads only)"))
                try await browser.run("const now = Date.now; Date.now = () => now() + 2 * 60000; dispatchEvent(new Event('focus'))")
                try await shows("The key was forgotten after 30 minutes without use.")
                try await signIn(permitted: ["read"])
                try await browser.element("#key button").click()
                try await shows("The key was forgotten.")
                #expect(try await browser.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0)
            }
        }

        @Test func `a whole key helps, and what it did is recorded with its name`() async throws {
            try await ending {
                try await account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                try await signIn(permitted: ["read", "write", "create-links"])
                try await open("ada", as: "ada@example.com")
                try await press("Send a password reset", then: "The mail waits to be sent to ada@example.com.")
                try await shows("Waits")
                try await press("Confirm the address by hand", then: "The address is verified.")
                #expect(try await stored("ada")["emailVerified"] == true)
                try await press("Disable", then: "The account is disabled.")
                try await shows("Disabled: its user cannot sign in.")
                #expect(try await stored("ada")["disabled"] == true)
                try await press("Enable", then: "The account is enabled.")
                try await press("End all sessions", then: "All sessions were ended.")
                try await press("Delete", typing: "ada@example.com", then: "ada@example.com was deleted.")
                #expect(try await stored("ada") == .null)
                let methods = try await server.audit().filter { $0["actor"].text?.hasSuffix("Desk") == true }
                    .compactMap { $0["method"].text }
                for method in ["findAccounts", "inspectAccount", "sendOobCode", "update", "delete"] {
                    #expect(methods.contains(method), "\(method)")
                }
            }
        }

        @Test func `a link is handed over once, and the phone that was lost is removed`() async throws {
            try await ending {
                try await account("ada", "ada@example.com", ["emailVerified": true, "password": "a quiet long phrase"])
                let factor: JSON = ["enrollments": [["phoneInfo": "+15555550100", "displayName": "Old phone"]]]
                try #require(
                    try await server.call("accounts:update", ["localId": "ada", "mfa": factor], at: server.adminPort).status == 200)
                try await signIn(permitted: ["read", "write", "create-links"])
                try await open("ada@", as: "ada@example.com")
                try await shows("Old phone")
                try await press("Remove", then: "The second factor was removed.")
                #expect(try await stored("ada")["mfaInfo"].list.isEmpty)
                try await press("Make a link: password reset", then: "It is shown only now.")
                let link = try #require(try await browser.element("#link").property("value").text)
                #expect(link.hasPrefix(origin + "/__/auth/action?"))
                try await browser.element("dialog .quiet").click()
                try await shows("The link was made.")
                #expect(try await !browser.source.contains("oobCode="))
                try await browser.open(link)
                #expect(try await browser.element("main").text.contains("ada@example.com"))
            }
        }

        @Test func `the keyboard is enough`() async throws {
            try await ending {
                try await account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                let key = try #require(try await server.command(["admin-key", "create"]).linesToEnd().first)
                try await browser.open(origin + "/__/console")
                let (tab, enter) = ("\u{E004}", "\u{E007}")
                try await browser.press(key.map { String($0) } + [enter])
                try await shows("Newest")
                try await browser.press("a", "d", "a", "@", enter)
                try await shows("Found")
                // The search, its button, the table, the account.
                try await browser.press(tab, tab, tab, tab, enter)
                try await shows("Send a password reset")
                // The focus is at the account, and its first button is next.
                try await browser.press(tab, enter)
                try await shows("Send a password reset to ada@example.com?")
                try await browser.press(enter)
                try await shows("The mail waits to be sent to ada@example.com.")
            }
        }

        /// Texts of users, of their devices and of relays are never markup.
        @Test func `hostile texts stay texts`() async throws {
            try await ending {
                let vectors = [
                    "<img src=x onerror=\"window.harmed=1\">", "\"><script>window.harmed=1</script>", "javascript:window.harmed=1",
                    "<svg/onload=window.harmed=1>", "</td></table><iframe srcdoc='<script>parent.harmed=1</script>'>", "{{7*7}}${7*7}",
                    "<b onmouseover=window.harmed=1>Ada</b>", "\u{202E}<a href=//evil.example>",
                ]
                for (index, vector) in vectors.enumerated() {
                    try await account("u\(index)", "u\(index)@example.com", ["displayName": .text(vector)])
                }
                try await signIn(permitted: ["read"])
                for (index, vector) in vectors.enumerated() {
                    try await open("u\(index)@example.com", as: "u\(index)@example.com")
                    try await shows(vector.trimmingPrefix("\u{202E}").description)
                }
                for text in vectors.prefix(3) {
                    try await find(text)
                    try await shows("No account is like this.")
                }
                #expect(
                    try await browser.run(
                        "return window.harmed === undefined && document.querySelectorAll('img, svg, iframe, body script').length") == 0)
            }
        }

        @Test(.enabled(if: OtherServers.axe != nil, "axe-core is not installed; Scripts/test installs it"))
        func `axe finds nothing`() async throws {
            let axe = try String(contentsOfFile: try #require(OtherServers.axe), encoding: .utf8)
            try await ending {
                try await account("ada", "ada@example.com", ["password": "a quiet long phrase"])
                try await browser.open(origin + "/__/console")
                try await expectNothing(of: axe, at: "the sign-in")
                try await signIn(permitted: ["read", "write", "create-links"])
                try await expectNothing(of: axe, at: "the search")
                try await open("ada", as: "ada@example.com")
                try await press("Send a password reset", then: "The mail waits")
                try await expectNothing(of: axe, at: "the account")
                for place in ["mails", "audit"] {
                    try await browser.run("location.hash = '#/shop/' + arguments[0]", .text(place))
                    try await shows(place == "mails" ? "Given up" : "Who")
                    try await expectNothing(of: axe, at: place)
                }
            }
        }

        private func expectNothing(of axe: String, at place: String) async throws {
            let faults = try await browser.run(
                """
                \(axe)
                return window.axe.run(document, { resultTypes: ["violations"] })
                    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 120)));
                """
            ).texts
            #expect(faults.isEmpty, "\(place): \(faults.joined(separator: "; "))")
        }

        @Test func `the console is off by default`() async throws {
            try await ending {
                try server.reload(replacing: "console: true", with: "console: false")
                _ = try await browser.soon("the end of the console") {
                    try await HTTP.send("GET", origin + "/__/console").status == 404 ? () : nil
                }
                #expect(try await HTTP.send("GET", origin + "/__/console/console.js").status == 404)
            }
        }
    }
}
