import Accounts
import Base
import Configuration
import Foundation
import Server
import Store

extension Doctor {
    /// The clock, the database, the secret and the versions of this machine.
    func machine() async -> [Diagnosis] {
        var found = [Self.synchronisation(isSynchronised: System.isClockSynchronised)]
        found += await database() + events()
        found += secret()
        if let state = await configuration.secretState() { found.append(Self.secret(state)) }
        found.append(
            .note(
                "versions",
                (["Onward \(Version.current)"] + Version.libraries).joined(separator: ", ")
            ))
        return found
    }

    static func synchronisation(isSynchronised: Bool) -> Diagnosis {
        isSynchronised
            ? .ok("clock", "is synchronised")
            : .warning(
                "clock", "is not synchronised, so links may end too early or too late, and other servers may refuse tokens",
                "Start a time service: `timedatectl set-ntp true`. In a container this is the host's.")
    }

    private func secret() -> [Diagnosis] {
        guard let file = configuration.secretFile, let written = System.modificationDate(ofFile: file) else { return [] }
        return [Self.secret(inFile: file, age: .seconds(now().seconds - Timestamp(written).seconds))]
    }

    static func secret(inFile file: String, age: Duration) -> Diagnosis {
        let days = age.components.seconds / 86_400
        return days < 2 * 365
            ? .ok("secret \(file)", "is \(days) days old")
            : .note(
                "secret \(file)", "is \(days) days old",
                "If people who knew it have left, change it (Docs/Secrets.md, Change the secret).")
    }

    static func secret(_ state: SecretState) -> Diagnosis {
        switch state {
        case .settled: .ok("secret of the database", "is the configured one")
        case .other:
            .error(
                "secret of the database", "is not the configured one",
                "Configure that one, or see Docs/Troubleshooting.md.")
        case .changesAtNextStart, .changing, .previousUnneeded:
            .warning("secret of the database", state.warning ?? "", "See Docs/Secrets.md, Change the secret.")
        }
    }
}
