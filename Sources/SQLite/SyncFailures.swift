internal import Base

/// Remembers that a sync of the database or of its write-ahead log failed.
///
/// Linux reports each failed write-back once and then treats the pages as written, so a second sync
/// succeeds although data is missing, and what this process reads may never reach the disk. No
/// further transaction is committed, and the process must end (D4). The write-ahead log has every
/// acknowledged commit; the next process copies all of it again.
final class SyncFailures: Sendable {
    private let isReported = Locked(false)
    private let onFirst: @Sendable () -> Void

    init(onFirst: @escaping @Sendable () -> Void) { self.onFirst = onFirst }

    var hasFailed: Bool { isReported.value }

    func report() {
        let isFirst = isReported.update { isReported in
            defer { isReported = true }
            return !isReported
        }
        if isFirst { onFirst() }
    }
}

/// A sync that failed, which is never tried again.
struct SyncFailure: Error {}
