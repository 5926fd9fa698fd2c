public import Accounts
internal import Base

/// Everything that Onward stores, in a database of any engine. Conforms to `Storage`;
/// further transactions are in the folder `Transactions`.
public struct Store: Sendable {
    let database: any SQLDatabase
    public let rowIDs: RowIDs
    public let accountChanges = AccountChanges()
    private let announcer: AccountAnnouncer?
    let recording = Locked<EventRecording?>(nil)

    init(database: any SQLDatabase, rowIDs: RowIDs = RowIDs()) {
        (self.database, self.rowIDs) = (database, rowIDs)
        announcer = AccountAnnouncer(database)
    }

    /// Migrates the database to the schema of this version first. Throws `Unavailable` with a
    /// sentence for the operator if the database belongs to another program or to another version,
    /// or if it is the target of an unfinished copy (D7, D8).
    /// - Parameter rowIDs: generates the ids of new rows; they get a range of this database.
    public static func open(_ database: any SQLDatabase, rowIDs: RowIDs = RowIDs()) async throws(ActionError) -> Store {
        try await StoreCopy.refuseUnfinished(database)
        try await Migration.run(Migration.all(in: database.dialect), on: database)
        let store = Store(database: database, rowIDs: rowIDs)
        try await store.reserveRowIDs()
        return store
    }

    /// Leaves the schema as it is, for commands that must not migrate. A query of a table that is
    /// missing throws `Unavailable`.
    public static func withoutMigrating(_ database: any SQLDatabase) -> Store { Store(database: database) }

    /// The newest version of the schema, which a database that serves has.
    public var schemaVersion: Int { Migration.all(in: database.dialect).count }

    func read<T: Sendable>(records body: @escaping @Sendable (SQLRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await database.read { db throws(ActionError) in try body(SQLRecords(db: db)) }
    }

    /// A transaction that several processes run at the same time without conflicts; see
    /// `SQLDatabase.claim`.
    func claim<T: Sendable>(records body: @escaping @Sendable (SQLRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        let claiming = database.dialect.claiming
        return try await database.claim { db throws(ActionError) in try body(SQLRecords(db: db, claiming: claiming)) }
    }

    func transaction<T: Sendable>(records body: @escaping @Sendable (SQLRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        let announcement = database.dialect.announcement
        let (result, touched) = try await database.write { db throws(ActionError) in
            // The engine may run this again.
            let touched = TouchedAccounts(recording: recording.value)
            let records = SQLRecords(db: db, announcement: announcement, touched: touched)
            let result = try body(records)
            try records.insertEvents()
            return (result, touched.keys)
        }
        accountChanges.announce(touched)
        announcer?.announce(touched)
        return result
    }
}

extension Store: Storage {
    public func read<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await read(records: body)
    }

    public func preview<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T?) async throws(ActionError) -> T? {
        try await database.preview { db throws(ActionError) in try body(SQLRecords(db: db)) }
    }

    public func transaction<T: Sendable>(
        _ body: @escaping @Sendable (any Records) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await transaction(records: body)
    }
}
