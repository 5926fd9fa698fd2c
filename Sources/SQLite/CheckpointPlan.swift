/// When to take over what: nothing here touches a file.
struct CheckpointPlan: Sendable {
    enum Step: Hashable {
        case none
        /// Beside the writer; if the WAL is long, without taking one's time.
        case piece(isUrgent: Bool)
        /// In the way of the writer.
        case rest
    }

    /// How long the WAL becomes before it begins anew, about, and three to six times that while many commit.
    let pages: Int
    /// A sync of the database has failed: nothing is taken over any more.
    var isLost = false
    /// How much of the WAL is in the database.
    private(set) var taken = 0
    /// How long the WAL was when somebody last set out to take it over.
    private var asked = 0
    /// How long it must be for somebody to set out again.
    private var next: Int
    private var last = Step.none
    private var isUnderWay = false
    /// How many transactions the last commit had.
    private var before = 1

    init(pages: Int) { (self.pages, next) = (pages, pages) }

    /// What the writer may wait for, in pages.
    private var rest: Int { pages / 32 }

    /// From where on the WAL is to begin anew though many wait for the writer.
    private var most: Int { 3 * pages }

    /// What to begin after a commit. Until `finish` says that it is done, nothing else is begun.
    mutating func step(length: Int, transactions: Int) -> Step {
        // One may be alone by chance.
        let isQuiet = max(transactions, before) == 1
        before = transactions
        guard !isUnderWay, !isLost else { return .none }
        // Shorter than it was: it began anew.
        if length < asked { (asked, taken, next) = (0, 0, pages) }
        let left = length - taken
        let isEnding = isQuiet || length >= most
        guard length >= next, isEnding || left >= pages else { return .none }
        // What came while a large piece was taken over is a smaller one. On a disk that never keeps up, everyone waits in the end.
        last = isEnding && left <= rest || length >= 2 * most ? .rest : .piece(isUrgent: length >= most)
        // After the rest the WAL begins anew, unless somebody still reads what came before: then again with the next commit.
        (isUnderWay, asked, next) = (true, length, length + (last == .rest ? 1 : rest))
        return last
    }

    /// - Parameter taken: how much of the WAL is in the database; nil when that could not be done now.
    mutating func finish(taken: Int?) {
        isUnderWay = false
        self.taken = taken ?? self.taken
        // With the next commit, unless somebody who reads kept a piece from its end.
        if last != .rest, self.taken >= asked { next = asked }
    }
}
