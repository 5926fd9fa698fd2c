/// Who acts with an admin's power, as the log and the audit name them.
package enum Admin: Sendable, Hashable, CustomStringConvertible {
    /// By an admin key. The label is the operator's own words.
    case key(id: String, label: String)
    /// By reaching the door where `Bearer owner` is admin.
    case owner
    /// At the command line, by the name of the Unix user.
    case user(String)

    /// The kind comes first, so that no label can pass for another admin. An id holds no spaces.
    package var description: String {
        switch self {
        case .key(let id, let label): "key:\(id) \(label)"
        case .owner: "owner"
        case .user(let name): "cli:\(name)"
        }
    }
}
