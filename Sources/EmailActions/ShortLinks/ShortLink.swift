package import Accounts

/// A short link: a path on a link domain, under which a long link is stored. The long link is
/// approved again at each visit.
package struct ShortLink: Sendable, Hashable {
    package let id: Int
    package let project: ProjectID
    /// The origin of the link domain, such as `https://links.example.com`.
    package let origin: String
    /// The path, with its first slash.
    package let path: String
    /// The long link in its canonical form, with the words of its preview.
    package let link: String
    /// The operator's name for the link.
    package let name: String?
    package let createdAt: Timestamp
    /// Its place among the links of the project that clients created with an API key; nil if an
    /// admin created it.
    package let clientNumber: Int?
    /// Nil for a link that works.
    package let disabledAt: Timestamp?

    package init(id: Int, at path: String, _ draft: ShortLinkDraft, clientNumber: Int?) {
        self.id = id
        self.project = draft.project
        self.origin = draft.origin
        self.path = path
        self.link = draft.link
        self.name = draft.name
        self.createdAt = draft.createdAt
        self.clientNumber = clientNumber
        self.disabledAt = draft.disabledAt
    }

    /// The URL that visitors open.
    package var url: String { origin + path }
}

/// A short link that has no path yet. Only `Project.draft` makes one, from a long link that the
/// project approves.
package struct ShortLinkDraft: Sendable, Hashable {
    package let project: ProjectID
    package let origin: String
    package let link: String
    package var name: String?
    package var createdAt: Timestamp
    package var disabledAt: Timestamp?

    init(project: ProjectID, origin: String, link: String, createdAt: Timestamp) {
        self.project = project
        self.origin = origin
        self.link = link
        self.createdAt = createdAt
    }

    /// A draft with the values of a stored row, for the store.
    package init(
        project: ProjectID, origin: String, link: String, name: String?, createdAt: Timestamp, disabledAt: Timestamp?
    ) {
        self.init(project: project, origin: origin, link: link, createdAt: createdAt)
        (self.name, self.disabledAt) = (name, disabledAt)
    }
}

/// The reads and writes of short links, as a part of `ActionRecords`.
package protocol ShortLinkRecords {
    /// The link at a path, also if it is disabled.
    func shortLink(at path: String, on origin: String) throws(ActionError) -> ShortLink?
    /// Stores a link.
    /// - Parameter clientNumber: see `ShortLink.clientNumber`.
    /// - Returns: nil if the path is taken; nothing is changed then.
    func insert(_ draft: ShortLinkDraft, at path: String, clientNumber: Int?) throws(ActionError) -> ShortLink?
    /// The number of links that clients of a project created.
    func countClientShortLinks(in project: ProjectID) throws(ActionError) -> Int
    /// The visits of a link, by its id, from a day on.
    func shortLinkCounts(of link: Int, since day: Int) throws(ActionError) -> [ShortLinkCount]
}
