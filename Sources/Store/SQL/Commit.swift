/// A report about the commit of one group of transactions, for metrics.
public struct Commit: Sendable {
    /// At least one.
    public let transactions: Int
    /// From the beginning of the group to the end of the commit, whose sync is part of it.
    public let span: Duration
    /// False if the group was rolled back.
    public let isDurable: Bool

    public init(transactions: Int, span: Duration, isDurable: Bool) {
        (self.transactions, self.span, self.isDurable) = (transactions, span, isDurable)
    }
}
