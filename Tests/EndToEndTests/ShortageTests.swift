import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// Resources that run out while the server runs and are available again later.
    @Suite struct `A shortage` {
        /// X4: without file descriptors, accepting pauses and recovers by itself.
        @Test func `of descriptors delays new connections only, and only until it ends`() async throws {
            let folder = try TemporaryFolder()
            let short = try await Short(in: folder, within: "ulimit -n 100")
            defer { short.program.signal(SIGKILL) }
            try await ClientSocket.blocking {
                let request = try HTTP.request("GET", short.origin + "/healthz", headers: ["Connection": "keep-alive"])
                func ask(_ connection: ClientSocket) throws {
                    try connection.send(request.text)
                    #expect(try HTTP.reply(to: "GET", on: connection).status == 200)
                }
                let old = try (0..<10).map { _ in try ClientSocket(port: request.port) }
                for connection in old { try ask(connection) }
                // The system accepts them; the server has no descriptors left for most.
                var crowd = try (0..<200).map { _ in try ClientSocket(port: request.port) }
                for connection in crowd { try connection.send(request.text) }
                try ClientSocket.wait(for: "a log line about descriptors") {
                    try ask(old[0])
                    return folder.log.contains("descriptors")
                }
                for connection in old { try ask(connection) }
                crowd.removeFirst(150)
                for connection in crowd { #expect(try HTTP.reply(to: "GET", on: connection).status == 200) }
            }
            short.program.signal(SIGTERM)
            #expect(await short.program.status == 0)
        }

        /// A shell of Debian starts programs with a soft limit of 1,024.
        @Test func `of descriptors is not caused by the soft limit, which the server raises to the hard one`() async throws {
            let folder = try TemporaryFolder()
            let short = try await Short(in: folder, within: "ulimit -Sn 100; ulimit -Hn 2000")
            defer { short.program.signal(SIGKILL) }
            let limits = try String(contentsOfFile: "/proc/\(try short.pid)/limits", encoding: .utf8)
            #expect(limits.contains(#/Max open files +2000 +2000 /#))
            short.program.signal(SIGTERM)
            #expect(await short.program.status == 0)
        }

        /// D5, O5, Z4, Z5: no file can be written, not even the log.
        @Test func `of disk space is answered with 503 and spends no code`() async throws {
            let folder = try TemporaryFolder()
            let short = try await Short(in: folder)
            defer { short.program.signal(SIGKILL) }
            let api = API(origin: short.origin)
            let account = try await api.signUp(password: "before horse 7")
            let link = try await api.link("PASSWORD_RESET", to: account.email)
            let press = try await ActionForm(on: link, password: "after horse 8")

            try await short.limitFiles(to: "0")
            let (port, request) = try press.request()
            let answer = try await ClientSocket.blocking {
                let connection = try ClientSocket(port: port)
                try connection.send(request)
                return try HTTP.reply(to: "POST", on: connection)
            }
            #expect(answer.status == 503)
            #expect(answer.body.contains(try LanguageFile.title("error", "unavailable")))
            #expect(try await HTTP.send("GET", short.origin + "/readyz").status == 503)
            #expect(try await HTTP.send("GET", short.origin + "/healthz").status == 200)
            #expect(try await HTTP.send("GET", link).status == 200)
            #expect(try await api.call("signUp", ["email": "late@example.com", "password": "correct horse 7"]).status == 503)

            try await short.limitFiles(to: "unlimited")
            try await eventually("readiness") { try await HTTP.send("GET", short.origin + "/readyz").status == 200 }
            #expect(try await api.canSignIn(account.email, "before horse 7"))
            let again = try await ActionForm(on: link, password: "after horse 8")
            #expect(try await HTTP.post(again.fields, to: again.origin + "/__/auth/action").status == 303)
            #expect(try await api.canSignIn(account.email, "after horse 8"))
            short.program.signal(SIGTERM)
            #expect(await short.program.status == 0)
        }
    }
}

/// A running `onward dev` whose resource limits can be changed.
private struct Short: Sendable {
    let program: Program
    let origin: String
    private let folder: TemporaryFolder

    /// - Parameter limit: a command of the shell that starts it.
    init(in folder: TemporaryFolder, within limit: String = "true") async throws {
        self.folder = folder
        let command = #"\#(limit); echo $$ > "$1/pid"; exec "$0" dev --port 0 --data "$1""#
        program = try Program("/bin/sh", ["-c", command, DevServer.executable, folder.path], errors: folder.path + "/log")
        origin = try await program.first(#/Start here +(http://localhost:\d+)\//#)
    }

    var pid: String {
        get throws { try String(contentsOfFile: folder.path + "/pid", encoding: .utf8).trimmingCharacters(in: .newlines) }
    }

    /// Limits the size of the files that the server writes; `unlimited` restores the initial limit.
    func limitFiles(to bytes: String) async throws {
        let words = ["--pid", try pid, "--fsize=\(bytes):"]
        try #require(await Program("/usr/bin/prlimit", words, errors: folder.path + "/prlimit.log").status == 0)
    }
}
