/// A report about the commit of one group of transactions, for metrics.
package struct Commit: Sendable {
    /// At least one.
    package let transactions: Int
    /// From the beginning of the group to the end of the commit, whose sync is part of it.
    package let span: Duration
    /// False if the group was rolled back.
    package let isDurable: Bool

    package init(transactions: Int, span: Duration, isDurable: Bool) {
        (self.transactions, self.span, self.isDurable) = (transactions, span, isDurable)
    }
}
