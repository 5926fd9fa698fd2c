import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// Anonymous accounts that ask for the user of a provider, on the real program.
    @Suite struct `A link to a provider` {
        /// An anonymous account and its request to link a user of a provider.
        struct Guest: Sendable {
            let account: String
            let subject: String
            let port: UInt16
            let request: String
        }

        /// I10: all clients first send their request without its last byte, and then the last
        /// bytes.
        @Test func `is given to exactly one of forty accounts that ask at the same moment`() async throws {
            let folder = try TemporaryFolder()
            let onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            let guests = try await guests(40, at: onward) { _ in "the-only-one" }
            let replies = try await ClientSocket.blocking {
                let crowd = try guests.map { guest in
                    let connection = try ClientSocket(port: guest.port)
                    try connection.send(guest.request.dropLast())
                    return (connection, guest.request.suffix(1))
                }
                for (connection, last) in crowd { try connection.send(last) }
                return try crowd.map { try HTTP.reply(to: "POST", on: $0.0) }
            }
            let winners = guests.indices.filter { replies[$0].status == 200 }
            #expect(winners.count == 1)
            for (guest, reply) in zip(guests, replies) {
                let isLinked = try await isLinked(guest, at: onward)
                #expect(isLinked == (reply.status == 200))
                #expect(isLinked || reply.body.contains("FEDERATED_USER_ID_ALREADY_LINKED"))
            }
        }

        /// D3, I10: the server is killed while it links. An account has the link, the address and
        /// the name of the provider's user, or nothing of them.
        @Test func `is whole or absent after a crash`() async throws {
            let folder = try TemporaryFolder()
            var onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            for round in 0..<4 {
                let guests = try await guests(30, at: onward) { "user-\(round)-\($0)" }
                // After so many answers; the rest is somewhere on its way.
                let enough = 2 + round * 4
                let answered = try await ClientSocket.blocking { [onward] in
                    try Self.send(guests, until: enough) { onward.program.signal(SIGKILL) }
                }
                #expect(answered.count >= enough && answered.values.allSatisfy { $0 == 200 })
                await onward.kill()
                onward = try await DevServer(in: folder)
                for (number, guest) in guests.enumerated() {
                    let isLinked = try await isLinked(guest, at: onward)
                    #expect(isLinked || answered[number] == nil, "round \(round), guest \(number): done was said, and is lost")
                    let signedIn = try await API(origin: onward.origin).get("signInWithIdp", Self.credential(guest.subject))
                    #expect((signedIn["localId"].text == guest.account) == isLinked)
                }
            }
        }

        /// Whether an account is linked; records an issue if it is linked in part.
        private func isLinked(_ guest: Guest, at onward: DevServer) async throws -> Bool {
            let account = try await API(origin: onward.origin).account(guest.account)
            let parts = [
                account["providerUserInfo"].list.contains { $0["rawId"].text == guest.subject },
                account["email"].text == "\(guest.subject)@example.com", account["emailVerified"] == true,
                account["displayName"].text == "Ada",
            ]
            #expect(Set(parts).count == 1, "\(account)")
            return parts[0]
        }

        private func guests(_ count: Int, at onward: DevServer, subject: (Int) -> String) async throws -> [Guest] {
            var guests: [Guest] = []
            for number in 0..<count {
                let anonymous = try await API(origin: onward.origin).get("signUp", ["returnSecureToken": true])
                let subject = subject(number)
                let body = Self.credential(subject) + ["idToken": anonymous["idToken"]]
                let (port, request) = try HTTP.request(
                    "POST", onward.origin + "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=demo-api-key",
                    headers: ["Content-Type": "application/json"], body: String(decoding: JSONEncoder().encode(body), as: UTF8.self))
                guests.append(Guest(account: try #require(anonymous["localId"].text), subject: subject, port: port, request: request))
            }
            return guests
        }

        /// A credential as apps give it to an emulator.
        private static func credential(_ subject: String) -> JSON {
            let claims = #"{"sub":"\#(subject)","email":"\#(subject)@example.com","email_verified":true,"name":"Ada"}"#
            return [
                "requestUri": "http://localhost", "returnSecureToken": true,
                "postBody": .text(HTTP.encoded([("providerId", "google.com"), ("id_token", claims)])),
            ]
        }

        /// Sends all requests at once and reads the replies in order; kills the server after
        /// `enough` of them.
        /// - Returns: the status of each that was answered.
        private static func send(_ guests: [Guest], until enough: Int, kill: () -> Void) throws -> [Int: Int] {
            let connections = try guests.map { guest in
                let connection = try ClientSocket(port: guest.port)
                try connection.send(guest.request)
                return connection
            }
            var answered: [Int: Int] = [:]
            for (number, connection) in connections.enumerated() {
                if answered.count == enough { kill() }
                if let reply = try? HTTP.reply(to: "POST", on: connection) { answered[number] = reply.status }
            }
            return answered
        }
    }
}
