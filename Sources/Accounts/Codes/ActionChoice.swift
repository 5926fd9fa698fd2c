/// A choice on the page of a link, other than its button. The raw value is the `choice` of the
/// page's query and form.
public enum ActionChoice: String, Sendable, Hashable, CaseIterable, Codable {
    /// `verifyEmail`: someone else made the account. The address is proved from outside, which ends
    /// their ways in (A4).
    case notMine
    /// `recoverEmail`: the user changed the address, so the undo link ends.
    case itWasMe
    /// `recoverEmail`: the account gets its address back from another one that has proved it.
    case takeAddress

    /// Whether the choice has its own page, which a quiet button leads to.
    public var hasOwnPage: Bool { self != .takeAddress }

    /// The action on whose page it is offered.
    public var action: Action {
        switch self {
        case .notMine: .verifyEmail
        case .itWasMe, .takeAddress: .recoverEmail
        }
    }
}
