import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A development server` {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func issuer(of token: String) throws -> String {
            var payload = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
            payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
            let claims = try JSONDecoder().decode(JSON.self, from: try #require(Data(base64Encoded: payload)))
            #expect(claims["iss"].text == "https://securetoken.google.com/\(claims["aud"].text ?? "")")
            return claims["aud"].text ?? ""
        }

        /// Calls a method of admins in a project.
        private func admin(_ path: String, in project: String, _ body: JSON, of server: DevServer) async throws -> HTTP.Reply {
            try await HTTP.send(
                "POST", "\(server.origin)/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:\(path)", json: body,
                headers: ["Authorization": "Bearer owner"])
        }

        /// Waits for a line of the log, which is written behind the responses.
        private func logged(_ message: String) async throws {
            try await eventually(message) { folder.log.contains(message) }
        }

        private func codes(of project: String, in server: DevServer) async throws -> [JSON] {
            try await HTTP.send("GET", "\(server.origin)/emulator/v1/projects/\(project)/oobCodes").json["oobCodes"].list
        }

        @Test func `gives clients the project that the first admin names, and tells of others`() async throws {
            let server = try await DevServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let api = API(origin: server.origin)
            let ada = try await api.signUp()
            #expect(try issuer(of: ada.idToken) == "demo-project")

            let found = try await admin("lookup", in: "my-app", ["localId": [.text(ada.id)]], of: server)
            #expect(try found.json["users"].list.first?["email"].text == ada.email)
            try await logged("project id adopted")
            // The token of before and those of now are accepted.
            #expect(try await api.call("lookup", ["idToken": .text(ada.idToken)]).status == 200)
            let bob = try await api.signUp()
            #expect(try issuer(of: bob.idToken) == "my-app")
            #expect(try await api.call("lookup", ["idToken": .text(bob.idToken)]).status == 200)
            #expect(try await HTTP.send("GET", "\(server.origin)/", headers: ["Accept": "text/html"]).body.contains("<code>my-app</code>"))

            #expect(!folder.log.contains("project has no clients"))
            let none = try await admin("lookup", in: "other", ["localId": [.text(ada.id)]], of: server)
            #expect(none.status == 200 && !none.body.contains(ada.email))
            try await logged("project has no clients, start with --project")
            let start = try await HTTP.send("GET", "\(server.origin)/", headers: ["Accept": "text/html"]).body
            #expect(start.contains("<code>other</code>") && start.contains("--project"))
        }

        /// V8: a foreign website gets no admin's response, in development neither.
        @Test func `lets no website choose the project`() async throws {
            let server = try await DevServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let ada = try await API(origin: server.origin).signUp()
            let picture = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"]
            _ = try await HTTP.send("GET", "\(server.origin)/emulator/v1/projects/evil/oobCodes", headers: picture)
            #expect(try await admin("lookup", in: "my-app", ["localId": [.text(ada.id)]], of: server).body.contains(ada.email))
        }

        @Test func `keeps the project of --project apart`() async throws {
            let server = try await DevServer(in: folder, "--project", "named")
            defer { server.program.signal(SIGKILL) }
            let ada = try await API(origin: server.origin).signUp()
            #expect(try issuer(of: ada.idToken) == "named")
            #expect(try await !admin("lookup", in: "my-app", ["localId": [.text(ada.id)]], of: server).body.contains(ada.email))
            #expect(try await admin("lookup", in: "named", ["localId": [.text(ada.id)]], of: server).body.contains(ada.email))
        }

        @Test func `lists the codes that tests asked for, after a restart too`() async throws {
            var server = try await DevServer(in: folder)
            #expect(try await codes(of: "my-app", in: server).isEmpty)
            let ada = try await API(origin: server.origin).signUp()
            for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
                try await API(origin: server.origin).get(
                    "sendOobCode", ["requestType": .text(type), "email": .text(ada.email), "continueUrl": "http://localhost:3000/"])
            }
            let listed = try await codes(of: "my-app", in: server)
            #expect(listed.map { $0["requestType"].text } == ["PASSWORD_RESET", "EMAIL_SIGNIN"])
            #expect(await server.stop() == 0)

            server = try await DevServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            #expect(try await codes(of: "my-app", in: server) == listed)
            // The project keeps its name, even if another is named first now.
            #expect(try await codes(of: "other", in: server).isEmpty)
            #expect(try issuer(of: try await API(origin: server.origin).signUp().idToken) == "my-app")
            let reset = try #require(listed.first?["oobCode"].text)
            let body: JSON = ["oobCode": .text(reset), "newPassword": "sixsix"]
            #expect(try await API(origin: server.origin).call("resetPassword", body).status == 200)
            // A new password withdraws the other links of the account.
            #expect(try await codes(of: "my-app", in: server).isEmpty)
        }

        @Test func `is empty if it is asked to be`() async throws {
            let server = try await DevServer(in: folder, "--empty")
            defer { server.program.signal(SIGKILL) }
            #expect(try await HTTP.send("GET", "\(server.origin)/inbox/messages.json").json["messages"].list.isEmpty)
            #expect(try await admin("query", in: "any", [:], of: server).json["recordsCount"].text == "0")
        }

        @Test(arguments: [("firebase", 200), ("production", 400)])
        func `takes the passwords of test suites, or only those of onward serve`(rules: String, status: Int) async throws {
            let server = try await DevServer(in: folder, "--password-rules", rules)
            defer { server.program.signal(SIGKILL) }
            let api = API(origin: server.origin)
            for (password, isCommon) in [("xq7-ab", false), ("123456", true)] {
                let reply = try await api.call("signUp", ["email": "\(isCommon ? "one" : "two")@example.com", "password": .text(password)])
                #expect(reply.status == status, "\(password): \(reply.body)")
            }
            #expect(try await api.call("signUp", ["email": "three@example.com", "password": "12345"]).status == 400)
            let isLax = rules == "firebase"
            let start = try await HTTP.send("GET", "\(server.origin)/", headers: ["Accept": "text/html"]).body
            #expect(start.contains("--password-rules production") == isLax)
            if isLax { try await logged("passwords need six characters only") }
        }

        /// R13: a domain that is not served would be a link that opens nothing.
        @Test func `onward dev accepts the link domains that it serves, and no others`() async throws {
            let server = try await DevServer(in: folder, "--link-domain", "links.example.test", "--link-domain", "more.example.test")
            defer { server.program.signal(SIGKILL) }
            let api = API(origin: server.origin)
            for (wanted, used) in [
                ("more.example.test", "more.example.test"), ("links.example.test", "links.example.test"),
                ("127.0.0.1:\(server.port)", "127.0.0.1"),
            ] {
                let answer = try await api.get(
                    "sendOobCode",
                    [
                        "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": "http://localhost:3000/",
                        "canHandleCodeInApp": true, "linkDomain": .text(wanted), "returnOobLink": true,
                    ], asAdmin: true)
                #expect(URL(string: answer["oobLink"].text ?? "")?.host() == used, "\(wanted)")
            }
            let foreign = try await api.call(
                "sendOobCode",
                [
                    "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": "http://localhost:3000/",
                    "canHandleCodeInApp": true, "linkDomain": "example.page.link",
                ])
            #expect(try foreign.json["error"]["message"].text?.contains("onward dev --link-domain example.page.link") == true)
            let page = try await HTTP.send(
                "GET", "http://localhost:\(server.port)/.well-known/assetlinks.json", headers: ["Host": "links.example.test"])
            #expect(page.status != 421)
        }
    }
}
