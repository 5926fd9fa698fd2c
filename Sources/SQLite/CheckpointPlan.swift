/// Decides after each commit whether to run a checkpoint, and where. Does no I/O. Lengths are in
/// pages of the write-ahead log (WAL).
struct CheckpointPlan: Sendable {
    enum Step: Hashable {
        case none
        /// Runs on the checkpoint thread while the writer continues.
        case background
        /// Runs on the writer's thread. No transaction commits while it runs, so the checkpoint
        /// reaches the end of the WAL, and the next commit restarts the WAL.
        case inline
    }

    /// The length at which checkpoints of a WAL begin.
    private let startLength: Int
    /// The most pages that the writer copies itself.
    private let inlineLimit: Int
    /// The length at which the writer copies the rest regardless of its size, because commits come
    /// faster than the checkpoint thread copies them.
    private let maxLength: Int

    /// The number of pages of the current WAL that are in the database.
    private var copied = 0
    private var lastLength = 0
    /// The length below which no step is taken.
    private var nextLength: Int
    private var running = Step.none
    /// The length of the WAL when the last step was taken.
    private var requested = 0
    /// Whether the WAL restarted while a checkpoint was running, so that the checkpoint's result
    /// describes the previous WAL.
    private var isStale = false
    private var isStopped = false

    init(startLength: Int) {
        self.startLength = startLength
        (inlineLimit, maxLength, nextLength) = (startLength / 32, 4 * startLength, startLength)
    }

    /// The step to take after a commit. `finish` ends the step; until then, no other one is taken.
    mutating func step(length: Int) -> Step {
        if length < lastLength { (copied, requested, nextLength, isStale) = (0, 0, startLength, running != .none) }
        lastLength = length
        guard running == .none, !isStopped, length >= nextLength else { return .none }
        // If a reader keeps the checkpoint from the end, waiting for it would not help.
        let isBlocked = copied < requested
        running = length - copied <= inlineLimit || length >= maxLength && !isBlocked ? .inline : .background
        requested = length
        return running
    }

    /// - Parameter copied: the pages of the WAL that are in the database; nil if the checkpoint
    ///   could not run, for example because the disk is full.
    mutating func finish(copied: Int?) {
        let step = running
        running = .none
        guard !isStale else { return isStale = false }
        self.copied = copied ?? self.copied
        let isBlocked = self.copied < requested
        // Trying again costs little after an inline step: only readers are in the way.
        nextLength = requested + (copied != nil && (step == .inline || !isBlocked) ? 1 : inlineLimit)
    }

    /// No further step is taken.
    mutating func stop() { isStopped = true }
}
