/// How a group of transactions went, for whoever measures the store.
package struct Commit: Sendable {
    /// At least one.
    package let transactions: Int
    /// From the beginning of the group to its end, that of the sync where all went well.
    package let span: Duration
    /// If not, it was rolled back.
    package let isDurable: Bool
}
