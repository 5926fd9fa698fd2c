import Accounts
import ArgumentParser
import Foundation
import SQLite
import Store

/// `onward restore`: a backup becomes the database.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a backup the database; the server must be stopped.",
        discussion: """
            The backup is copied and checked before anything is touched, and brought to the schema of this version. The database that was \
            there, if any, is kept beside it under another name. Every link, session, ID token and session cookie ends, in whatever way \
            the backup was made: some of them may have been used or revoked after it. People sign in again.

            What else changed after the backup is as it was: passwords, switched-off accounts, admin keys. Look at what the audit of \
            the old database says (onward audit), if it can be read, and do it again.

            EXAMPLE
              systemctl stop onward.socket onward
              onward restore /var/backups/onward.sqlite --config /etc/onward/onward.yaml
              systemctl start onward.socket onward
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var backup: String
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let database = try file.read().database
            guard FileManager.default.fileExists(atPath: backup) else { throw Failure("there is no file \(backup)") }
            guard !FileManager.default.fileExists(atPath: database) || !Copying.isInUse(database) else {
                throw Failure("\(database) is in use: stop the server first")
            }
            let copy = try await DatabaseCopy.make(of: backup, for: database) { connection in
                try await Store.open(connection).recording("restore") {}
            }
            let kept = "\(database)-replaced-\(Date.now.compact)"
            let isKept = try Self.putAside(database, as: kept)
            try copy.place()
            print("\(database) is \(backup) now." + (isKept ? " What was there is \(kept)." : ""))
        }
    }

    /// With what SQLite keeps beside it, which must not come near another database.
    private static func putAside(_ database: String, as name: String) throws -> Bool {
        let files = FileManager.default
        let found = ["-shm", "-wal", ""].filter { files.fileExists(atPath: database + $0) }
        for suffix in found { try files.moveItem(atPath: database + suffix, toPath: name + suffix) }
        return found.contains("")
    }
}
