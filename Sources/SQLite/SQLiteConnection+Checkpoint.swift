internal import CSQLite

extension SQLiteConnection {
    /// The result of a checkpoint, in pages.
    struct Checkpoint: Hashable {
        /// The length of the write-ahead log when the checkpoint began.
        let walLength: Int
        /// The pages of it that are in the database.
        let copied: Int
    }

    /// Copies pages of the write-ahead log into the database, as many as is possible without
    /// waiting for readers or a writer. Syncs the database if that was all of the log and no commit
    /// came during the copy. Source: sqlite.org/c3ref/wal_checkpoint_v2.html,
    /// SQLITE_CHECKPOINT_PASSIVE
    /// - Returns: nil if the checkpoint could not run (the disk is full, another process runs one);
    ///   then no page counts as copied that was not, so it can be tried again.
    func checkpoint() throws(SyncFailure) -> Checkpoint? {
        var (walLength, copied): (Int32, Int32) = (0, 0)
        switch sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &walLength, &copied) {
        case SQLITE_OK: return Checkpoint(walLength: Int(walLength), copied: Int(copied))
        case onward_sqlite_ioerr_fsync, onward_sqlite_ioerr_dir_fsync: throw SyncFailure()
        default: return nil
        }
    }
}
