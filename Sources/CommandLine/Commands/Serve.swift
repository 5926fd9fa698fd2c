import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import HTTPServer
import Logging
import Network
import Server

/// `onward serve`, which runs the server in production.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the server.",
        discussion: """
            Reads the configuration, refuses to start if anything in it is wrong, and serves until SIGTERM or SIGINT. Then it stops \
            accepting, finishes running requests (for at most limits.grace) and exits 0. The log goes to standard error. So does the \
            reason why the server does not start: as sentences at a terminal, otherwise as lines of the log.

            SIGHUP reloads configuration, templates, languages and certificates. If anything in them is wrong, nothing changes and the \
            log says what is wrong; only a certificate that is in use may have expired. It also names changed keys that need a restart.

            EXAMPLE
              onward init --origin https://auth.example.com --domain app.example.com
              onward serve --config onward.yaml
            """)

    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        let isAtTerminal = isatty(STDERR_FILENO) == 1
        try await running(logging: isAtTerminal ? nil : LogOptions(ofFile: file.path)) {
            let configuration = try file.readForServer()
            try await logging(configuration.log) { log in try await serve(configuration, log: log) }
        }
    }

    private func serve(_ configuration: Configuration, log: Logger) async throws {
        let stop = Latch()
        let signals = StopSignals(opening: stop)
        let reloadSignals = ReloadSignals()
        defer {
            signals.cancel()
            reloadSignals.cancel()
        }
        let systemd = SystemdNotifier(System.environment)
        let sockets = try InheritedSockets(System.environment)
        // These variables are for this process and not for its children.
        for name in SystemdNotifier.variables + InheritedSockets.variables { unsetenv(name) }
        let installation = try await Installation(configuration, mode: .production, sockets: sockets, logger: log)
        let reloads = ConfigurationReloads(requests: reloadSignals.stream) { [file] in try file.readForServer(replacing: $0) }
        try await installation.run(until: stop, reloads: reloads, systemd: systemd) { addresses in
            log.notice(
                "listening",
                metadata: [
                    "addresses": .list(addresses.plain), "tls": .list(addresses.tls), "redirecting": .list(addresses.redirecting),
                    "origin": "\(configuration.publicOrigin.origin)", "projects": .list(configuration.projects.map(\.id)),
                    "version": "\(Version.current)",
                ])
            if !addresses.admin.isEmpty {
                log.notice("admin listener started, every client has admin access", metadata: ["addresses": .list(addresses.admin)])
            }
            if !addresses.console.isEmpty {
                log.notice("console listener started", metadata: ["addresses": .list(addresses.console)])
            }
            let plain = addresses.console.filter { IPAddress($0.host)?.isLoopback != true }
            if !plain.isEmpty {
                log.warning(
                    "console listener reachable from other machines, admin keys cross their network unencrypted",
                    metadata: ["addresses": .list(plain)])
            }
            let exposed = addresses.admin.filter { IPAddress($0.host)?.isLoopback != true }
            if !exposed.isEmpty {
                log.warning(
                    "admin listener reachable from other machines, every client on their network has admin access",
                    metadata: ["addresses": .list(exposed)])
            }
        }
        log.notice("stopped")
    }
}

extension Logger.MetadataValue {
    fileprivate static func list(_ values: [some CustomStringConvertible]) -> Self { .array(values.map { "\($0)" }) }
}
