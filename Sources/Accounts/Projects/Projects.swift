public import AppLinks
public import Base

/// All projects of an installation, found by id, by API key, or by link domain.
public struct Projects: Sendable {
    private var byID: [ProjectID: Project]
    /// The projects that admins changed.
    private var changed: [ProjectID: Project] = [:]
    private let byKey: [String: ProjectID]
    private let byLinkDomain: [LinkDomain: ProjectID]
    /// In development, the project that every API key belongs to and whose settings every id has.
    private let sample: Project?
    /// Whether the sample takes the first unknown id that is named as its alias.
    private let adoptsName: Bool
    /// Another id of the sample, which names it in tokens and responses; nil if it has none.
    public private(set) var alias: ProjectID?

    /// The prefix of the API keys that development uses in links of projects other than the sample.
    private static let developmentKey = "onward-dev-"

    public init(_ projects: [Project]) { self.init(projects, sample: nil, adoptsName: false) }

    /// Projects like those of the Firebase Auth emulator: every API key is accepted, and every
    /// project id exists.
    /// - Parameters:
    ///   - adoptsName: whether the first other id that is named becomes the sample's alias.
    ///   - alias: the alias of the sample that is known from the start.
    public static func development(sample: Project, adoptsName: Bool = false, alias: ProjectID? = nil) -> Projects {
        var projects = Projects([sample], sample: sample, adoptsName: adoptsName)
        if let alias, adoptsName { _ = projects.adopt(alias) }
        return projects
    }

    private init(_ projects: [Project], sample: Project?, adoptsName: Bool) {
        byID = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
        byKey = Dictionary(projects.flatMap { project in project.apiKeys.map { ($0, project.id) } }) { first, _ in first }
        byLinkDomain = Dictionary(projects.flatMap { project in project.linkDomains.map { ($0, project.id) } }) { first, _ in first }
        self.sample = sample
        self.adoptsName = adoptsName
    }

    public var all: [Project] { byID.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { self[$0] } }

    public subscript(id: ProjectID) -> Project? {
        let id = stored(id)
        return changed[id] ?? configured(id)
    }

    /// The project without the changes of admins.
    func configured(_ id: ProjectID) -> Project? {
        let id = stored(id)
        return byID[id] ?? sample?.renamed(id)
    }

    /// The id under which a project is stored.
    private func stored(_ id: ProjectID) -> ProjectID { id == alias ? sample?.id ?? id : id }

    /// The alias of a stored project; nil if it has none.
    public func alias(of id: ProjectID) -> ProjectID? { id == sample?.id ? alias : nil }

    /// The id that names a project in tokens and responses.
    public func name(of id: ProjectID) -> ProjectID { alias(of: id) ?? id }

    /// Whether an id is the one of the project that clients of development are in.
    func isSample(_ id: ProjectID) -> Bool { sample.map { stored(id) == $0.id } ?? false }

    /// Whether the sample takes the next unknown id that is named as its alias.
    public var awaitsName: Bool { sample != nil && adoptsName && alias == nil }

    /// Makes an id the sample's alias, if it has none yet.
    /// - Returns: whether it is the alias now.
    mutating func adopt(_ id: ProjectID) -> Bool {
        guard awaitsName, !isSample(id) else { return false }
        alias = id
        return true
    }

    /// Replaces a project by its version with an admin's changes. The id, keys and link domains are
    /// the file's and do not change.
    mutating func replace(_ project: Project) { changed[project.id] = project }

    /// Replaces the file's project by one with an upstream's answer. Admins cannot change a project
    /// with an upstream, so there are no admin changes to merge.
    mutating func configure(_ project: Project) {
        byID[project.id] = project
        changed[project.id] = nil
    }

    public func project(apiKey: String) -> Project? {
        if let id = byKey[apiKey] { return self[id] }
        guard let sample, !apiKey.isEmpty else { return nil }
        return apiKey.hasPrefix(Self.developmentKey)
            ? self[ProjectID(rawValue: String(apiKey.dropFirst(Self.developmentKey.count)))] : self[sample.id]
    }

    /// The project whose action page is at this host, if there is one such project; nil in
    /// development, where every key has a project.
    public func only(at authority: String?) -> Project? {
        guard sample == nil, let authority = authority?.lowercased() else { return nil }
        let found = all.filter { $0.actionURL.origin.hasSuffix("://" + authority) }
        return found.count == 1 ? found[0] : nil
    }

    /// The origin of Firebase's helper pages that are passed on; nil if none are. At most one
    /// project has them.
    public var helpers: WebURL? { byID.values.lazy.compactMap { $0.upstream?.helpers }.first }

    /// The project that a link domain belongs to.
    public func project(linkDomain: LinkDomain) -> Project? { byLinkDomain[linkDomain].flatMap { self[$0] } }

    /// The API key that a project's links contain if the caller sent none.
    public func linkKey(of project: Project) -> String {
        sample == nil || byID[project.id] != nil ? project.apiKeys.min() ?? "" : Self.developmentKey + project.id.rawValue
    }
}
