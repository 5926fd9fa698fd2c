import Base
import Cryptography
import Foundation

/// The database of a configuration. `OpenedDatabase` opens it, for servers and for commands.
public enum DatabaseSetting: Sendable, Hashable {
    case sqlite(path: String)
    case postgreSQL(PostgreSQLSettings)

    /// How operators know the database: the path of its file, or its URL without a password.
    public var name: String {
        switch self {
        case .sqlite(let path): path
        case .postgreSQL(let settings): settings.name
        }
    }

    /// Identifies the database among the servers of this machine; nil for a file that does not
    /// exist.
    public var identity: String? {
        switch self {
        case .sqlite(let path): Self.identity(ofFile: path)
        case .postgreSQL(let settings): HashFunction.sha256.hash(Array(settings.name.utf8)).prefix(8).hexadecimal
        }
    }

    /// Identifies a file or a folder, whatever its name is; nil if it does not exist.
    public static func identity(ofFile path: String) -> String? {
        System.status(ofFile: path).map { "\($0.st_dev)-\($0.st_ino)" }
    }

    /// Throws if the database is a file that does not exist, which a command would otherwise
    /// create.
    public func requireFile(_ advice: String = "") throws(Failure) {
        guard case .sqlite(let path) = self, !FileManager.default.fileExists(atPath: path) else { return }
        throw Failure("the database \(path) does not exist\(advice)")
    }
}

/// How the database of a PostgreSQL server is reached. A password is looked up when a connection is
/// made, and is in no value of this type.
public struct PostgreSQLSettings: Sendable, Hashable {
    /// A URL without a password, or the place of one that may have a password.
    public enum Address: Sendable, Hashable {
        case url(PostgreSQLURL)
        case secret(SecretReference)

        public func url() throws(SettingError) -> PostgreSQLURL {
            switch self {
            case .url(let url): url
            case .secret(let reference): try PostgreSQLURL(try reference.text())
            }
        }
    }

    /// Servers that follow the primary.
    public struct Replica: Sendable, Hashable {
        public var address: Address
        /// The most time that their answers may be behind the primary.
        public var maxStaleness: Duration
    }

    public var address: Address
    /// The address of the server itself, if `address` is that of a pooler: for notifications, which
    /// a pooler does not pass on.
    public var directAddress: Address?
    /// Servers that answer pages which only show something.
    public var replica: Replica?
    public var password: SecretReference?
    /// The most connections of one process for transactions.
    public var maxConnections = 8
    /// False behind a pooler that gives each transaction another connection.
    public var preparedStatements = true
    /// How long a server that starts waits for the database; after that it ends.
    public var waitAtStart = Duration.seconds(30)

    public init(_ address: Address) { self.address = address }

    public var name: String { (try? address.url().withoutSecrets) ?? "postgres://" }
}
