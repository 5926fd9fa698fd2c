import Accounts
import ArgumentParser
import EmailActions
import Foundation
import HTTPServer
import Logging
import Queues
import Web
import WebURL

/// `onward serve`: production.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the server.",
        discussion: """
            Reads the configuration, refuses to start if anything in it is wrong, and serves until SIGTERM or SIGINT. Then it stops \
            accepting, finishes the requests that are running (for at most limits.grace) and exits 0. The log goes to standard error.

            SIGHUP has configuration, templates, languages and certificates read again. If anything in them is wrong, everything stays as \
            it was, and the log says what is wrong; what only a restart can change is named there, too.

            EXAMPLE
              ONWARD_SECRET="$(openssl rand -base64 48)" onward serve --config Config/onward.yaml
            """)

    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.read()
            try await logging(configuration.log) { log in try await serve(configuration, log: log) }
        }
    }

    private func serve(_ configuration: Configuration, log: Logger) async throws {
        let stop = Latch()
        let signals = StopSignals(opening: stop)
        let hangups = HangupSignals()
        defer {
            signals.cancel()
            hangups.cancel()
        }
        let supervisor = Supervisor(System.environment)
        let sockets = try HandedSockets(System.environment)
        // Whatever this process might start is not meant by them.
        for name in Supervisor.variables + HandedSockets.variables { unsetenv(name) }
        let installation = try await Installation(configuration, mode: .production, sockets: sockets, logger: log)
        let reloads = Reloads(asked: hangups.stream) { [file] in try file.read() }
        try await installation.run(until: stop, reloads: reloads, supervisor: supervisor) { doors in
            log.notice(
                "listening",
                metadata: [
                    "addresses": .list(doors.plain), "tls": .list(doors.tls), "redirecting": .list(doors.redirecting),
                    "origin": "\(configuration.publicOrigin.origin)", "projects": .list(configuration.projects.map(\.id)),
                    "version": "\(Version.current)",
                ])
            if !doors.admin.isEmpty {
                log.notice("listening for admins: whoever connects is admin", metadata: ["addresses": .list(doors.admin)])
            }
            let beyond = doors.admin.filter { IPAddress($0.host)?.isLoopback != true }
            if !beyond.isEmpty {
                log.warning(
                    "an admin listener is open to other machines: everyone on their network is admin of every project",
                    metadata: ["addresses": .list(beyond)])
            }
            log.warning(
                "mails wait in the outbox: this version does not deliver them yet; admins get links from sendOobCode with returnOobLink")
        }
        log.notice("stopped")
    }
}

extension Logger.MetadataValue {
    fileprivate static func list(_ values: [some CustomStringConvertible]) -> Self { .array(values.map { "\($0)" }) }
}
