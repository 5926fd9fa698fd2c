public import Accounts
public import Base

extension Store {
    /// Short links in the order in which they were stored.
    /// - Parameters:
    ///   - project: nil for all.
    ///   - id: only links after this one; 0 for the first page.
    public func shortLinks(in project: ProjectID? = nil, after id: Int, limit: Int) async throws(ActionError) -> [ShortLink] {
        try await read { records throws(ActionError) in
            let filter = project == nil ? "" : "project = ? AND "
            return try records.all(
                "\(ShortLink.select) WHERE \(filter)id > ? ORDER BY id LIMIT ?",
                [project].compactMap(\.self) as [any SQLConvertible] + [id, limit])
        }
    }

    /// Disables a short link, or enables it again.
    /// - Parameter moment: the time from which on it is disabled; nil enables it.
    /// - Returns: false if it is in that state already, or there is no such link.
    public func disable(_ link: ShortLink, at moment: Timestamp?) async throws(ActionError) -> Bool {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "UPDATE short_link SET disabled_at = ? WHERE id = ? AND (disabled_at IS NULL) = ?", [moment, link.id, moment != nil]) == 1
        }
    }
}

extension Store {
    /// The result of importing one short link.
    public enum ShortLinkVerdict: Sendable, Hashable {
        case added
        /// This link is stored already.
        case existing
        /// The path is taken by another link.
        case taken
    }

    /// Stores links under paths that they have already, in one transaction.
    /// - Returns: the verdict on each, in their order.
    public func importShortLinks(_ links: [(draft: ShortLinkDraft, path: String)]) async throws(ActionError) -> [ShortLinkVerdict] {
        guard !links.isEmpty else { return [] }
        return try await transaction { records throws(ActionError) in
            try links.map { draft, path throws(ActionError) -> ShortLinkVerdict in
                if try records.insert(draft, at: path, clientNumber: nil) != nil { return .added }
                let stored = try records.shortLink(at: path, on: draft.origin)
                return stored?.link == draft.link && stored?.project == draft.project ? .existing : .taken
            }
        }
    }
}
