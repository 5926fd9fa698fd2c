/// Where the person goes from here.
package enum Next: Sendable, Hashable {
    /// No continue URL was asked for.
    case nowhere
    /// `url` is written as it is: only one that the project's authorised domains have let through may come here (R1).
    case to(host: String, url: String)
    /// It was asked for, but its host is not, or no longer, on the list (R9, R10).
    case refused
}
