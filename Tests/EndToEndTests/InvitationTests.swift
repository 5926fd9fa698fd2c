import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// A closed circle: `onward serve` with closed sign-ups, a real SMTP server and Chromium.
    @Suite(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing))) final class `An invited person` {
        private let browser: Browser
        private let environment: BrowserEnvironment
        private let folder: TemporaryFolder
        private let relay: MailRelay
        private let server: ProductionServer
        private let origin: String
        private let socket: ListeningSocket
        private let ada = "ada-\(UUID().uuidString.prefix(8).lowercased())@example.com"
        private let password = "brand new horse 8"

        init() async throws {
            environment = try BrowserEnvironment.current()
            browser = try environment.user(hasScripts: true).browser
            folder = try TemporaryFolder()
            relay = try await MailRelay()
            socket = try ListeningSocket()
            origin = "http://localhost:\(socket.port)"
            server = try await ProductionServer(
                in: folder, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"], sockets: [socket.descriptor], origin: origin,
                mail: #"{from: "Shop <no-reply@shop.example.com>", relays: [{url: "smtp://127.0.0.1:\#(relay.port)"}]}"#,
                domains: "localhost, 127.0.0.1", project: ", signUp: closed, continuePolicy: page")
        }

        deinit {
            relay.program.signal(SIGKILL)
            server.program.signal(SIGKILL)
            close(socket.descriptor)
        }

        private func call(_ method: String, _ body: JSON) async throws -> HTTP.Reply {
            try await HTTP.send("POST", "\(origin)/v1/accounts:\(method)?key=shop-key-1", json: body)
        }

        private func canSignIn(_ email: String) async throws -> Bool {
            try await call("signInWithPassword", ["email": .text(email), "password": .text(password)]).status == 200
        }

        @Test func `chooses a password by the link of the mail, is welcomed, and goes on to the app`() async throws {
            let goal = await environment.landing.address("/invited")
            _ = try await server.output(of: "users", "invite", ada, "--name", "Ada", "--continue", goal)
            let mail = try await relay.next()
            #expect(mail.recipient == ada && mail.subject == "Shop invites you")
            try await browser.open(try #require(mail.link))
            #expect(try await browser.element("h1").text == "Choose a password for Shop")
            #expect(try await browser.element("main").text.contains("Saving it also confirms that this address is yours."))
            try await browser.element("#password").type(password)
            try await browser.element("main form button.button").click()
            try await browser.element("main .success")
            #expect(try await browser.element("h1").text == "Welcome to Shop")
            try await browser.element("main a.button").click()
            try await browser.arrive(at: goal)
            #expect(try await canSignIn(ada))
            #expect(try await server.output(of: "users", "list", "--invited").isEmpty)

            try await browser.open(try #require(mail.link))
            #expect(try await browser.element("h1").text == "Password saved")
        }

        @Test func `who has an account already is told so, and led to the app`() async throws {
            let goal = await environment.landing.address("/known")
            #expect(
                try await server.call("accounts", ["email": .text(ada), "password": .text(password)], at: server.adminPort).status == 200)
            _ = try await server.output(of: "users", "invite", ada, "--continue", goal)
            let mail = try await relay.next()
            #expect(mail.subject == "There is already an account at Shop with your address" && mail.link == goal)
            #expect(try await canSignIn(ada))
        }

        /// An app may have its own page: JavaScript's SDK applies the code by v1, Apple's by v3.
        @Test(arguments: ["v1/accounts:resetPassword", "identitytoolkit/v3/relyingparty/resetPassword"])
        func `an invitation by the API is accepted by an app that applies the code itself`(_ path: String) async throws {
            let invited = try await server.call("accounts:invite", ["email": .text(ada), "returnOobLink": true], at: server.adminPort)
            #expect(invited.status == 200)
            let link = try #require(try invited.json["oobLink"].text)
            let code = try #require(link.firstMatch(of: #/oobCode=([^&]+)/#).map { String($0.1) })
            func send(_ body: JSON) async throws -> HTTP.Reply {
                try await HTTP.send("POST", "\(origin)/\(path)?key=shop-key-1", json: body)
            }
            let seen = try await send(["oobCode": .text(code)])
            #expect(try seen.json["requestType"] == "PASSWORD_RESET" && seen.json["email"].text == ada)
            #expect(try await send(["oobCode": .text(code), "newPassword": .text(password)]).status == 200)
            #expect(try await canSignIn(ada))
            #expect(try await server.call("accounts:invite", ["email": .text(ada), "withdraw": true], at: server.adminPort).status == 400)
        }

        @Test func `whose invitation is withdrawn finds a link that does not work`() async throws {
            _ = try await server.output(of: "users", "invite", ada)
            let mail = try await relay.next()
            try await browser.open(try #require(mail.link))
            try await browser.element("#password").type(password)
            _ = try await server.output(of: "users", "invite", ada, "--withdraw")
            try await browser.element("main form button.button").click()
            _ = try await browser.soon("the page of an ended link") {
                try await browser.elements("h1").first?.text == "This link does not work any more" ? true : nil
            }
            #expect(try await !canSignIn(ada))
        }
    }
}
