internal import Accounts
internal import Base
internal import Network
internal import Store

/// The open connections of a process to one server.
final class ConnectionPool: Sendable {
    private let options: PostgreSQLDatabase.Options
    private let idle = Pool<PostgreSQLConnection>()
    /// The columns of unique indexes, by the name of the index.
    private let columns = Locked<[String: [String]]>([:])
    private let outage = Locked<Outage?>(nil)
    /// The number of times that connections were dropped. A connection of an earlier time is not
    /// used again: it may be one to a server that is not the primary any more.
    private let drops = AtomicCounter()
    /// Counts the transactions that the server refused because they met others.
    let conflicts = AtomicCounter()

    /// The last attempt to connect, which failed.
    private struct Outage {
        let at: Uptime
        let failure: ServerFailure
    }

    /// The interval between two attempts to connect to a server that does not accept connections.
    private static let pause = Duration.milliseconds(100)

    init(_ options: PostgreSQLDatabase.Options) { self.options = options }

    /// An idle connection, or a new one.
    func take() throws(ServerFailure) -> PostgreSQLConnection {
        do throws(Pool<PostgreSQLConnection>.Closed) {
            while let connection = try idle.take() { if isCurrent(connection) { return connection } }
        } catch { throw .lost(cause: Self.closed) }
        if let outage = outage.value, .now - outage.at < Self.pause { throw outage.failure }
        return try connect()
    }

    static let closed = "the database is closed"

    func connect() throws(ServerFailure) -> PostgreSQLConnection {
        do throws(ServerFailure) {
            let connection = try PostgreSQLConnection(options, after: drops.value)
            outage.update { $0 = nil }
            return connection
        } catch {
            outage.update { $0 = Outage(at: .now, failure: error) }
            throw error
        }
    }

    private func isCurrent(_ connection: PostgreSQLConnection) -> Bool { !connection.isOld && connection.dropsBefore == drops.value }

    func giveBack(_ connection: PostgreSQLConnection) { idle.giveBack(connection) }

    /// When one connection is lost, the others most likely are. Those in use now are not used
    /// again.
    func drop() {
        drops.add()
        idle.removeIdle()
    }

    func close() { idle.close() }

    /// The columns of a unique index, in the schema's order. Asks the server once for each index.
    func columns(ofIndex name: String) -> [String] {
        if let known = columns.value[name] { return known }
        let query = Statement(
            """
            SELECT attname FROM pg_attribute WHERE attrelid = (
                SELECT oid FROM pg_class WHERE relname = ? AND relnamespace = current_schema()::regnamespace)
            ORDER BY attnum
            """, [.text(name)])
        guard let connection = try? take(), let rows = try? connection.run([query]).first?.rows else { return [] }
        giveBack(connection)
        let found = rows.compactMap { row in
            var row = row
            return try? row.next() as String
        }
        columns.update { $0[name] = found }
        return found
    }
}
