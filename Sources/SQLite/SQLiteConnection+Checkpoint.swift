internal import CSQLite

/// That a sync of the database failed. The system tells each failure once: who syncs again is told that all is well, and what was to be
/// written may be on the disk, or not, or be there until it is read again.
struct SyncFailure: Error {}

/// What checkpoints are made of. SQLite counts the pages of one that does not reach the end of the WAL, because somebody commits or reads
/// meanwhile, as taken over *without* having synced the database, and leaves that to the one that reaches it. Had a sync failed in between,
/// that one would be told nothing of it, the WAL would begin anew, and commits be lost. So here each is followed by a sync, and where one
/// fails, all of the WAL counts as not taken over.
extension SQLiteConnection {
    /// Takes over as much of the WAL as is possible without waiting for anybody. To be followed by `syncDatabase`.
    /// - Returns: How many pages of the WAL are in the database; nil when that could not be done now (the disk is full, another process is at
    ///   it). Nothing is counted that was not written, so it can be tried again.
    func takeOver() throws(SyncFailure) -> Int? {
        var taken: Int32 = 0
        switch sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, &taken) {
        case SQLITE_OK: return Int(taken)
        case onward_sqlite_ioerr_fsync:
            takeBack(locking: true)
            throw SyncFailure()
        default: return nil
        }
    }

    /// Makes what was taken over durable. Nobody takes anything over meanwhile, in whatever process: so nobody can build on a sync that failed
    /// before `takeBack` is done.
    /// - Parameter prepare: called before the sync.
    func syncDatabase(prepare: () -> Void) throws(SyncFailure) {
        guard let file else { return }
        let isLocked = lock(file)
        defer { if isLocked { unlock(file) } }
        prepare()
        guard file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK else {
            takeBack(locking: false)
            throw SyncFailure()
        }
    }

    /// Lets all of the WAL count as not taken over, for everybody who has the database open now and while any of them has. Whoever is alone
    /// with it begins so anyway. As SQLite does it when it recovers, under the lock that keeps others from counting.
    /// Source: sqlite.org/walformat.html, 2.2 (nBackfill), 2.3.1
    private func takeBack(locking: Bool) {
        guard let file else { return }
        let isLocked = locking && lock(file)
        defer { if isLocked { unlock(file) } }
        var index: UnsafeMutableRawPointer?
        // The size of its parts; the first is there as long as somebody has the WAL open.
        guard file.pointee.pMethods.pointee.xShmMap(file, 0, 32_768, 0, &index) == SQLITE_OK, let index else { return }
        index.storeBytes(of: 0, toByteOffset: 96, as: UInt32.self)
    }

    /// `WAL_CKPT_LOCK`. Whoever has it without end is past waiting for.
    /// - Returns: Whether it could be had.
    private func lock(_ file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
        for _ in 0..<Int(Durability.busyMilliseconds) {
            if file.pointee.pMethods.pointee.xShmLock(file, 1, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) == SQLITE_OK { return true }
            sqlite3_sleep(1)
        }
        return false
    }

    private func unlock(_ file: UnsafeMutablePointer<sqlite3_file>) {
        _ = file.pointee.pMethods.pointee.xShmLock(file, 1, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    }

    /// The database, as SQLite has it open.
    private var file: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK else { return nil }
        return file
    }
}
