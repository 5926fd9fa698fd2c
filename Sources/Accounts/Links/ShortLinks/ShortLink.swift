public import Base

/// A short link: a path on a link domain, under which a long link is stored. The long link is
/// approved again at each visit.
public struct ShortLink: Sendable, Hashable {
    public let id: Int
    public let project: ProjectID
    /// The origin of the link domain, such as `https://links.example.com`.
    public let origin: String
    /// The path, with its first slash.
    public let path: String
    /// The long link in its canonical form, with the words of its preview.
    public let link: String
    /// The operator's name for the link.
    public let name: String?
    public let createdAt: Timestamp
    /// Its place among the links of the project that clients created with an API key; nil if an
    /// admin created it.
    public let clientNumber: Int?
    /// Nil for a link that works.
    public let disabledAt: Timestamp?

    public init(id: Int, at path: String, _ draft: ShortLinkDraft, clientNumber: Int?) {
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
    public var url: String { origin + path }
}

/// A short link without its path: a new one, which `Project.draft` makes from a long link that the
/// project approves, or the values of a stored one.
public struct ShortLinkDraft: Sendable, Hashable {
    public let project: ProjectID
    public let origin: String
    public let link: String
    public var name: String?
    public var createdAt: Timestamp
    public var disabledAt: Timestamp?

    init(project: ProjectID, origin: String, link: String, createdAt: Timestamp) {
        self.project = project
        self.origin = origin
        self.link = link
        self.createdAt = createdAt
    }

    /// A draft with the values of a stored row, for the store.
    public init(
        project: ProjectID, origin: String, link: String, name: String?, createdAt: Timestamp, disabledAt: Timestamp?
    ) {
        self.init(project: project, origin: origin, link: link, createdAt: createdAt)
        (self.name, self.disabledAt) = (name, disabledAt)
    }
}
