import Accounts
import EmailActions
import Foundation
import Store

extension Doctor {
    /// The clock, the disk, the secret and the versions of this machine.
    func machine() async -> [Diagnosis] {
        var found = [Self.synchronisation(isSynchronised: System.isClockSynchronised)]
        found += await clock()
        found += disk() + secret()
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

    /// The clock beside its high-water mark.
    private func clock() async -> [Diagnosis] {
        let path = configuration.database
        guard FileManager.default.fileExists(atPath: path) else {
            return [.note("database \(path)", "does not exist yet", "`onward serve` creates it.")]
        }
        do {
            guard let mark = try await configuration.withStoreAsItIs({ store in try await store.clockMark() }) else {
                return [.note("database \(path)", "no server has run with it yet")]
            }
            let behind = mark.time - now()
            guard behind > .minutes(1) else { return [.ok("database \(path)", "can be read, and the clock has not gone back")] }
            return [
                .error(
                    "clock", "is \(behind.configured) behind the time that this database has seen",
                    "Correct the clock. If the mark is wrong: `onward clock accept`.")
            ]
        } catch {
            return [
                .error(
                    "database \(path)", explanation(of: error) ?? "\(error)",
                    "Run the command as the user of the server: sudo -u onward onward doctor.")
            ]
        }
    }

    private func disk() -> [Diagnosis] {
        let folder = URL(filePath: configuration.database).deletingLastPathComponent().path(percentEncoded: false)
        guard let space = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let free = space[.systemFreeSize] as? Int64, let size = space[.systemSize] as? Int64
        else { return [.error("disk of \(folder)", "the folder cannot be read", "Create it, unless systemd does (StateDirectory).")] }
        return [Self.disk(of: folder, free: free, size: size)]
    }

    static func disk(of folder: String, free: Int64, size: Int64) -> Diagnosis {
        let says = "\(free >> 20) MB of \(size >> 20) MB are free"
        // A full disk stops every link. A backup beside the database needs as much as it has.
        return switch free {
        case ..<(200 << 20): .error("disk of \(folder)", says, "Make room at once: without space no link can be applied.")
        case ..<(1 << 30): .warning("disk of \(folder)", says, "Make room: the database, its log and a backup need it.")
        default: .ok("disk of \(folder)", says)
        }
    }

    private func secret() -> [Diagnosis] {
        guard let file = configuration.secretFile else { return [] }
        let attributes = try? FileManager.default.attributesOfItem(atPath: (file as NSString).resolvingSymlinksInPath)
        guard let written = attributes?[.modificationDate] as? Date else { return [] }
        return [Self.secret(inFile: file, age: .seconds(now().seconds - Timestamp(written).seconds))]
    }

    static func secret(inFile file: String, age: Duration) -> Diagnosis {
        let days = age.components.seconds / 86_400
        return days < 2 * 365
            ? .ok("secret \(file)", "is \(days) days old")
            : .note(
                "secret \(file)", "is \(days) days old",
                "If people who knew it have left, change it (Docs/Operations.md, Change the secret).")
    }

    static func secret(_ state: SecretState) -> Diagnosis {
        switch state {
        case .settled: .ok("secret of the database", "is the configured one")
        case .other:
            .error(
                "secret of the database", "is not the configured one",
                "Configure that one, or see Docs/Operations.md, When things go wrong.")
        case .changesAtNextStart, .changing, .previousUnneeded:
            .warning("secret of the database", state.warning ?? "", "See Docs/Operations.md, Change the secret.")
        }
    }
}
