import Accounts
import ArgumentParser
import Configuration
import Foundation
import Server
import Store

/// `onward secret`, which ends the change of the configured secret.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Ends the change of the secret of the configuration.",
        discussion: """
            EXAMPLE
              onward secret reseal
            """,
        subcommands: [Reseal.self])

    struct Reseal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seals everything again that is sealed with the previous secret.",
            discussion: """
                To change the secret, create a new one, set `secret: {current: …, previous: …}`, restart the server, and run this command. \
                It seals keys of authenticator apps, signing keys, client secrets, waiting mails and keys of imported passwords with the \
                current secret, in short transactions; the server goes on. If it is interrupted, run it again. Afterwards remove \
                `previous` and restart: users stay signed in, and links, recovery codes and admin keys go on working, because the \
                database keeps the keys that find them, sealed with the current secret.

                EXAMPLE
                  onward secret reseal --config /etc/onward/onward.yaml
                """)

        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await running {
                let configuration = try file.read()
                let configured = try configuration.lookedUpSecrets
                // A server that still runs with the previous secret goes on to seal with it.
                let isInUse = try await configuration.database.isInUse()
                try await configuration.database.withStore { store in
                    let secrets = try await store.recognize(configured, beginningChange: !isInUse)
                    guard try await store.secretState(of: configured) != .changesAtNextStart else {
                        throw Failure("a server runs with the previous secret; restart it with this configuration first")
                    }
                    var progress = ProgressLine(of: "values")
                    let report = try await store.recording("secret reseal") {
                        try await store.reseal(by: secrets) { progress.show($0.resealed, refused: $0.impossible) }
                    }
                    progress.finish()
                    let digests = try await store.formerDigests(by: secrets)
                    print(Self.summary(report, digests, previousIsConfigured: !configured.former.isEmpty))
                }
            }
        }

        static func summary(
            _ report: [(table: String, counts: ResealCounts)], _ digests: [FormerDigests], previousIsConfigured: Bool
        ) -> String {
            func list(_ count: (ResealCounts) -> Int) -> String {
                let parts = report.filter { count($0.counts) > 0 }.map { "\(count($0.counts).formatted()) in \($0.table)" }
                return parts.isEmpty ? "none" : parts.joined(separator: ", ")
            }
            var lines = ["Values sealed again: \(list(\.resealed))."]
            if report.contains(where: { $0.counts.impossible > 0 }) {
                lines.append(
                    "Values that cannot be opened, because they are damaged or from a secret that is lost: \(list(\.impossible)). "
                        + "They stay as they are; Docs/Secrets.md says what to do (A value is damaged).")
            }
            let kept = digests.filter { $0.count > 0 }.map { "\($0.count.formatted()) in \($0.table)" }
            if !kept.isEmpty {
                lines.append(
                    "Digests of a former secret, which cannot be made again and go on working: \(kept.joined(separator: ", ")). "
                        + "The database keeps their keys, sealed, until the last one is gone and this command runs again.")
            }
            lines.append(
                previousIsConfigured
                    ? "The previous secret is not needed any more. In half an hour, when sign-ins and pages that were begun with it have ended, "
                        + "remove `previous` from the configuration and restart." : "No previous secret is configured.")
            return lines.joined(separator: "\n")
        }
    }
}

extension SecretState {
    /// The sentence for the operator; nil if there is nothing to do.
    var warning: String? {
        switch self {
        case .settled: nil
        case .changesAtNextStart: "the next start of the server makes the new secret the current one"
        case .changing: "values of the previous secret remain; run onward secret reseal"
        case .previousUnneeded:
            "the previous secret is not needed half an hour after `onward secret reseal`; then remove it from the configuration"
        case .other: "the database was made with another secret"
        }
    }
}

extension Configuration {
    /// How the configured secrets relate to those of the database; nil if there is no database that
    /// can be read.
    func secretState() async -> SecretState? {
        guard let secrets else { return nil }
        return try? await database.withStoreAsItIs { store in try await store.secretState(of: secrets) }
    }
}
