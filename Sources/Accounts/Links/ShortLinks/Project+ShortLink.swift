internal import AppLinks
public import Base

/// A long link that was found fit for a short one.
public struct ShortLinkProposal: Sendable, Hashable {
    public var draft: ShortLinkDraft
    /// The path below which the suffix goes, without a slash at its end; empty for none.
    public let prefix: String
    public let warnings: [ShortLinkWarning]
}

extension Project {
    /// Checks a long link for which a short one is wanted, as it is checked at each visit.
    ///
    /// - Parameters:
    ///   - text: the link on a link domain. A path before the query is the prefix of the short
    ///     link's path, as domains of Dynamic Links had it.
    ///   - byClient: whether a client asks, by an API key. Its links have neither a prefix nor a
    ///     preview: both are words under the project's domain, and anyone can read an API key.
    public func propose(
        shortLinkTo text: String, at now: Timestamp, byClient: Bool = false
    ) throws(ShortLinkRefusal) -> ShortLinkProposal {
        let url: WebURL
        do { url = try WebURL(text) } catch { throw .unreadable(error) }
        guard let domain = self.linkDomains.first(where: { $0.covers(url) }) else {
            throw .foreignDomain(url.origin, known: self.linkDomains.map(\.origin))
        }
        let prefix = try Self.prefix(of: url)
        guard prefix.isEmpty || !byClient else { throw .prefixByClient }
        let approved: ApprovedAppLink
        do { approved = try approve(appLink: url.origin + "/?" + (url.query ?? "")) } catch { throw .refused(error) }
        var link = approved.link
        var warnings = ShortLinkWarning.all(about: url)
        link.asksForExplanation = false
        link.form = .hosting
        if byClient, link.preview != AppLink.Preview() {
            link.preview = AppLink.Preview()
            warnings.append(ShortLinkWarning(.unrecognizedParameter, "st, sd and si are left out: only admins give links a preview."))
        }
        if let image = link.preview.image, image.scheme != "https" { link.preview.image = nil }
        let canonical = link.url.serialized
        guard !AppLink.mentionsCode(canonical) else { throw .carriesCode }
        guard canonical.utf8.count <= ShortLinkDraft.maxLinkBytes else { throw .tooLong }
        let draft = ShortLinkDraft(project: id, origin: domain.origin, link: canonical, createdAt: now)
        return ShortLinkProposal(draft: draft, prefix: prefix, warnings: warnings)
    }

    private static func prefix(of url: WebURL) throws(ShortLinkRefusal) -> String {
        guard !AppLink.isLinkPath(url.path) else { return "" }
        let prefix = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
        // With room for a suffix.
        guard prefix.utf8.count <= 200, ShortLinkPath(prefix + "/a") != nil else { throw .path }
        return prefix
    }
}
