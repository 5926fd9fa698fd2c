import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A crash` {
        /// One code and its account; a reset also has its new password.
        struct Case: Sendable {
            let account: API.Account
            let press: ActionForm
            let password: String?
        }

        /// C4, D3, C5: the server is killed while it applies codes, round after round on the same
        /// data. Everything that was confirmed is there, and everything else can still be applied.
        @Test func `leaves each code either spent with its effect or unspent without`() async throws {
            let folder = try TemporaryFolder()
            var onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            for round in 0..<6 {
                let cases = try await prepare(40, at: onward)
                // After so many answers; the rest is somewhere on its way.
                let enough = 3 + round * 3
                let answered = try await ClientSocket.blocking { [onward] in
                    try Self.press(cases, at: onward.origin, until: enough) { onward.program.signal(SIGKILL) }
                }
                #expect(answered.count >= enough && answered.values.allSatisfy { $0 == 303 })
                await onward.kill()
                onward = try await DevServer(in: folder)

                let api = API(origin: onward.origin)
                for (number, one) in cases.enumerated() {
                    let isAlive = try await api.isAlive(one.press.code)
                    let hasEffect = try await hasEffect(one, at: api)
                    #expect(isAlive != hasEffect, "round \(round), case \(number)")
                    #expect(hasEffect || answered[number] == nil, "round \(round), case \(number): done was said, and is lost")
                }
                try await replay(cases, at: onward)
            }
        }

        /// Resets and verifications, alternating.
        private func prepare(_ count: Int, at onward: DevServer) async throws -> [Case] {
            let api = API(origin: onward.origin)
            var cases: [Case] = []
            for number in 0..<count {
                let account = try await api.signUp()
                let password = number % 4 == 0 ? "after horse \(number)" : nil
                let link = try await api.link(password == nil ? "VERIFY_EMAIL" : "PASSWORD_RESET", to: account.email)
                let press = try await ActionForm(on: link, password: password)
                cases.append(Case(account: account, press: press, password: password))
            }
            return cases
        }

        /// Sends all forms at once and reads the replies in order; kills the server after `enough`
        /// of them.
        /// - Returns: the status of each case that was answered.
        private static func press(
            _ cases: [Case], at origin: String, until enough: Int, kill: () -> Void
        ) throws -> [Int: Int] {
            let connections = try cases.map { one in
                let (port, text) = try one.press.request(to: origin)
                let connection = try ClientSocket(port: port)
                try connection.send(text)
                return connection
            }
            var answered: [Int: Int] = [:]
            for (number, connection) in connections.enumerated() {
                if answered.count == enough { kill() }
                if let reply = try? HTTP.reply(to: "POST", on: connection) { answered[number] = reply.status }
            }
            return answered
        }

        private func hasEffect(_ one: Case, at api: API) async throws -> Bool {
            guard let password = one.password else { return try await api.account(one.account.id)["emailVerified"] == true }
            let (isNew, isOld) = (
                try await api.canSignIn(one.account.email, password), try await api.canSignIn(one.account.email, "correct horse 7")
            )
            #expect(isNew != isOld)
            return isNew
        }

        /// A user who saw no answer submits the form again: it is applied now, or the page says
        /// that it was. It is never refused and never applied twice.
        private func replay(_ cases: [Case], at onward: DevServer) async throws {
            for one in cases {
                let wasAlive = try await API(origin: onward.origin).isAlive(one.press.code)
                let reply = try await HTTP.post(one.press.fields, to: onward.origin + "/__/auth/action")
                #expect(reply.status == (wasAlive ? 303 : 200))
            }
        }
    }
}
