import Foundation
import Testing
import World

/// The wall clock of a child process, by libfaketime; its monotonic clock is the real one.
private struct FakeTime {
    private let file: String
    let environment: [String: String]

    init(in folder: TemporaryFolder) throws {
        file = folder.path + "/offset"
        let places = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
        let library = try #require(
            places.first(where: FileManager.default.fileExists(atPath:)), "libfaketime is missing; Scripts/test installs it")
        // The library names its shared memory in the environment, and Swift cannot find the
        // arguments of a program whose environment has grown, so the variable is there already.
        environment = [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_SHARED": "/none /none", "NO_FAKE_STAT": "1",
        ]
        try set(0)
    }

    /// Sets the wall clock to a number of minutes after the real one. The file is replaced whole,
    /// because the process reads it at any moment.
    func set(_ minutes: Int) throws {
        try (minutes < 0 ? "\(minutes * 60)\n" : "+\(minutes * 60)\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
}

extension `Onward from end to end` {
    @Suite(.enabled(if: !ChosenEngine.isPostgreSQL, "the time is that of the database server, whatever the clock of a node shows"))
    struct `A clock that is set back` {
        /// V7, C9: an hour and a day, while the server runs and over a restart.
        @Test func `revives no code and no refresh token`() async throws {
            let folder = try TemporaryFolder()
            let time = try FakeTime(in: folder)
            var onward = try await DevServer(in: folder, environment: time.environment)
            defer { onward.program.signal(SIGKILL) }
            let api = API(origin: onward.origin)
            let account = try await api.signUp()
            let code = try code(in: try await api.link("PASSWORD_RESET", to: account.email))
            let signedIn = try await api.get(
                "signInWithPassword", ["email": .text(account.email), "password": "correct horse 7", "returnSecureToken": true])
            let first = try #require(signedIn["refreshToken"].text)
            let second = try #require(try await refresh(first, at: onward).json["refresh_token"].text)
            #expect(try await refresh(second, at: onward).status == 200)
            #expect(try await api.isAlive(code))

            // Steps of less than an hour are followed at once.
            for minutes in [40, 80, 120] {
                try time.set(minutes)
                try await eventually("the time") { try await api.isAlive(code) == (minutes < 60) }
            }
            for minutes in [60, 120 - 24 * 60] {
                try time.set(minutes)
                let api = API(origin: onward.origin)
                #expect(try await !api.isAlive(code))
                #expect(try await readiness(of: onward).contains("the wall clock was set back by"))
                // What is done now works.
                let other = try await api.signUp()
                let fresh = try self.code(in: try await api.link("PASSWORD_RESET", to: other.email))
                #expect(try await api.isAlive(fresh))
                #expect(await onward.stop() == 0)
                onward = try await DevServer(in: folder, environment: time.environment)
                #expect(try await !API(origin: onward.origin).isAlive(code))
            }
            // The first token was retired two hours ago.
            #expect(try await refresh(first, at: onward).json["error"]["message"] == "TOKEN_EXPIRED")
            #expect(try await refresh(second, at: onward).json["error"]["message"] == "TOKEN_EXPIRED")
            #expect(await onward.stop() == 0)
        }

        private func code(in link: String) throws -> String { String(try #require(link.firstMatch(of: #/oobCode=([\w-]{43})/#)).1) }

        private func refresh(_ token: String, at onward: DevServer) async throws -> HTTP.Reply {
            let address = "\(onward.origin)/securetoken.googleapis.com/v1/token?key=demo-api-key"
            return try await HTTP.post([("grant_type", "refresh_token"), ("refresh_token", token)], to: address)
        }

        private func readiness(of onward: DevServer) async throws -> String {
            let reply = try await HTTP.send("GET", onward.origin + "/readyz")
            #expect(reply.status == 200)
            return reply.body
        }
    }
}
