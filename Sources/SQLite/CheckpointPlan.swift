/// When to take over what: nothing here touches a file. Lengths are in pages of 4 KB.
struct CheckpointPlan: Sendable {
    enum Step: Hashable {
        case none
        /// Beside the writer. The WAL is to begin anew soon (`isEnding`), or grows on.
        case piece(isEnding: Bool)
        /// In the way of the writer, so that the WAL can begin anew.
        case rest
    }

    /// How long the WAL becomes before it is taken over; then it begins anew if few commit.
    let pages: Int
    /// From where on it is to begin anew though many wait for the writer.
    private let patience: Int
    /// How much the writer may wait for.
    private let bearable: Int
    /// A sync of the database has failed: nothing is taken over any more.
    var isLost = false
    /// How much of the WAL is in the database.
    private(set) var taken = 0
    /// How long the WAL was when somebody last set out to take it over.
    private var asked = 0
    /// How long it must be for somebody to set out again.
    private var next: Int
    private var lastStep = Step.none
    private var isUnderWay = false
    /// Whether the last step took over all that it was asked for, or nearly.
    private var cameNear = false
    /// The WAL began anew while something was under way, so what that says of it is of no use.
    private var isStale = false
    private var lastLength = 0
    private var lastTransactions = 1

    /// Commits to a large database seldom change the same page again soon, so its WAL may become a tenth of it: then the disk is spared a third
    /// of the pages.
    /// - Parameters:
    ///   - pages: the WAL's length for all but large databases; at most four times that.
    ///   - database: its size now.
    init(pages least: Int, database: Int) {
        pages = min(max(database / 10, least), 4 * least)
        (patience, bearable, next) = (max(3 * least, pages), least / 32, pages)
    }

    /// What to begin after a commit. Until `finish` says that it is done, nothing else is begun.
    mutating func step(length: Int, transactions: Int) -> Step {
        // One may be alone by chance.
        let isQuiet = max(transactions, lastTransactions) == 1
        if length < lastLength { (asked, taken, next, cameNear, isStale) = (0, 0, pages, false, isUnderWay) }
        (lastLength, lastTransactions) = (length, transactions)
        guard !isUnderWay, !isLost else { return .none }
        let left = length - taken
        let isEnding = isQuiet || length >= patience
        guard length >= next, isEnding || left >= pages else { return .none }
        // What came while a large piece was taken over is a smaller one. Where that is never so, as the disk does not keep up, everyone waits in
        // the end; where somebody who reads keeps the pieces from their ends, waiting would not help.
        lastStep = isEnding && left <= bearable || length >= 2 * patience && cameNear ? .rest : .piece(isEnding: isEnding)
        // After the rest the WAL begins anew, unless somebody still reads what came before: then again with the next commit.
        (isUnderWay, asked, next) = (true, length, length + (lastStep == .rest ? 1 : bearable))
        return lastStep
    }

    /// - Parameter taken: how much of the WAL is in the database; nil when that could not be done now.
    mutating func finish(taken: Int?) {
        isUnderWay = false
        guard !isStale else { return isStale = false }
        self.taken = taken ?? self.taken
        cameNear = self.taken + bearable >= asked
        // Where it is ending, with the next commit, unless somebody who reads kept a piece from its end.
        if lastStep != .rest, self.taken >= asked { next = asked }
    }
}
