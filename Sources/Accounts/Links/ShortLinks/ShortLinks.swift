public import AppLinks
public import Base

/// The short links of all projects: found when a visitor opens one, created for admins and clients.
public struct ShortLinks: Sendable {
    let store: any Storage
    let now: Now
    let random: RandomBytes

    public init(store: any Storage, now: @escaping Now, random: @escaping RandomBytes) {
        (self.store, self.now, self.random) = (store, now, random)
    }

    /// The link at a path of a link domain; nil if the project has none there, or it is disabled.
    public func live(_ path: ShortLinkPath, on domain: LinkDomain, in project: Project) async throws(ActionError) -> ShortLink? {
        let found = try await store.read { (records) throws(ActionError) in
            try records.shortLink(at: path.text, on: domain.origin)
        }
        // The domain may have belonged to another project.
        return found?.project == project.id && found?.disabledAt == nil ? found : nil
    }

    /// The visits of a project's link, even if it is disabled, in the last days, today included.
    /// Nil if the project has no such link.
    public func counts(at path: ShortLinkPath, on origin: String, in project: Project, days: Int) async throws(ActionError)
        -> [ShortLinkCount]?
    {
        let since = ShortLinkVisit.day(of: now()) - days + 1
        return try await store.read { (records) throws(ActionError) in
            guard let link = try records.shortLink(at: path.text, on: origin), link.project == project.id else { return nil }
            return try records.shortLinkCounts(of: link.id, since: since)
        }
    }

    /// Creates a short link with a random suffix.
    /// - Parameter maxByClients: the most links that clients of the project may have, without those
    ///   that are disabled; nil: an admin creates this one.
    public func create(
        _ proposal: ShortLinkProposal, suffix: ShortLinkSuffix, maxByClients: Int? = nil
    ) async throws(ActionError) -> ShortLink {
        let paths = suffix.candidates(random: random).map { proposal.prefix + "/" + $0 }.compactMap { ShortLinkPath($0) }
        return try await create(proposal.draft, at: paths, maxByClients: maxByClients) {
            .refused(.invalidArgument, detail: "No free suffix was found; ask for an UNGUESSABLE one")
        }
    }

    /// Creates a short link at a path that an admin chose. Refuses `INVALID_ARGUMENT` if it is
    /// taken.
    public func create(_ proposal: ShortLinkProposal, at path: ShortLinkPath) async throws(ActionError) -> ShortLink {
        try await create(proposal.draft, at: [path], maxByClients: nil) {
            .refused(.invalidArgument, detail: "\(proposal.draft.origin + path.text) exists already")
        }
    }

    /// Stores a draft at the first path that is free.
    private func create(
        _ draft: ShortLinkDraft, at paths: [ShortLinkPath], maxByClients: Int?, otherwise refusal: () -> ActionError
    ) async throws(ActionError) -> ShortLink {
        let created = try await store.transaction { (records) throws(ActionError) -> ShortLink? in
            var number: Int?
            if let maxByClients {
                let count = try records.countClientShortLinks(in: draft.project)
                // Counted only if disabled links matter.
                if count >= maxByClients, try records.countLiveClientShortLinks(in: draft.project) >= maxByClients {
                    throw .refused(
                        .insufficientPermission,
                        detail: """
                            The project has as many links of clients as its setting shortLinks.maxByAPIKey allows, \(maxByClients); \
                            disabled ones do not count
                            """)
                }
                number = count + 1
            }
            for path in paths {
                if let link = try records.insert(draft, at: path.text, clientNumber: number) { return link }
            }
            return nil
        }
        guard let created else { throw refusal() }
        return created
    }
}
