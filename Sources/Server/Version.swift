import Cryptography
import Network
import PostgreSQL
import SQLite

/// The version of Onward, the commit that it was built from, and the libraries that it runs with.
public enum Version {
    /// Written only here: `Scripts/package` reads this line, and a test compares the newest heading
    /// of CHANGELOG.md.
    public static let current = "0.1.0"

    /// `git archive` writes the commit here, as .gitattributes says. Packages are built from such
    /// an archive; a working tree may differ from its commit, so its builds name none.
    private static let archivedCommit = "$Format:%H$"

    /// Nil for a build of a working tree.
    static var commit: String? { archivedCommit.hasPrefix("$") ? nil : archivedCommit }

    /// The libraries that this process has loaded.
    public static var libraries: [String] {
        [
            "SQLite \(SQLiteDatabase.libraryVersion)", OpenSSL.libraryVersion, "libpq \(PostgreSQLDatabase.libraryVersion)",
            HTTPClient.libraryVersion,
        ]
    }

    /// The text of `onward --version`.
    public static var report: String {
        ([current, commit.map { "commit \($0)" } ?? "built from a working tree"] + libraries).joined(separator: "\n")
    }
}
