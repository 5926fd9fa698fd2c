public import Accounts
internal import Base

extension ShortLink: RowReadable {
    static let columns = "id, project, origin, path, link, name, created_at, client_number, disabled_at"
    static let select = "SELECT \(columns) FROM short_link"

    public init(row: inout SQLRow) throws(SQLFailure) {
        let id: Int = try row.next()
        let (project, origin): (ProjectID, String) = (try row.next(), try row.next())
        let path: String = try row.next()
        let (link, name): (String, String?) = (try row.next(), try row.next())
        let (createdAt, clientNumber): (Timestamp, Int?) = (try row.next(), try row.next())
        let draft = ShortLinkDraft(
            project: project, origin: origin, link: link, name: name, createdAt: createdAt, disabledAt: try row.next())
        self.init(id: id, at: path, draft, clientNumber: clientNumber)
    }
}

extension SQLRecords {
    public func shortLink(at path: String, on origin: String) throws(ActionError) -> ShortLink? {
        try first(Self.shortLinkAtPath, [origin, path])
    }

    static let shortLinkAtPath = "\(ShortLink.select) WHERE origin = ? AND path = ?"

    public func insert(_ draft: ShortLinkDraft, at path: String, clientNumber: Int?) throws(ActionError) -> ShortLink? {
        let ids: [Int] = try column(
            Self.insertingShortLink,
            [draft.project, draft.origin, path, draft.link, draft.name, draft.createdAt, clientNumber, draft.disabledAt])
        return ids.first.map { ShortLink(id: $0, at: path, draft, clientNumber: clientNumber) }
    }

    private static let insertingShortLink = """
        INSERT INTO short_link (project, origin, path, link, name, created_at, client_number, disabled_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (origin, path) DO NOTHING RETURNING id
        """

    /// Links are never deleted, so the highest number is that of all.
    public func countClientShortLinks(in project: ProjectID) throws(ActionError) -> Int {
        let numbers: [Int?] = try column(
            "SELECT max(client_number) FROM short_link WHERE project = ? AND client_number IS NOT NULL", [project])
        return numbers.first?.flatMap(\.self) ?? 0
    }

    public func countLiveClientShortLinks(in project: ProjectID) throws(ActionError) -> Int {
        // Links are never deleted, so the disabled ones, which are few, are counted instead.
        let disabled = try count("SELECT count(client_number) FROM short_link WHERE project = ? AND disabled_at IS NOT NULL", [project])
        return try countClientShortLinks(in: project) - disabled
    }
}
