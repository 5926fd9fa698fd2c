package import Accounts
package import AppLinks

/// All projects of an installation, found by id, by API key, or by link domain.
package struct Projects: Sendable {
    private var byID: [ProjectID: Project]
    /// Those that admins changed.
    private var changed: [ProjectID: Project] = [:]
    private let byKey: [String: ProjectID]
    private let byLinkDomain: [LinkDomain: ProjectID]
    /// In development: the project that any API key belongs to and whose settings any id has.
    private let sample: Project?

    /// The API keys that development makes for links of projects other than the sample start with this.
    private static let developmentKey = "onward-dev-"

    package init(_ projects: [Project]) { self.init(projects, sample: nil) }

    /// Like the Firebase Auth emulator: any API key is taken, any project id exists.
    package static func development(sample: Project) -> Projects { Projects([sample], sample: sample) }

    private init(_ projects: [Project], sample: Project?) {
        byID = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
        byKey = Dictionary(projects.flatMap { project in project.apiKeys.map { ($0, project.id) } }) { first, _ in first }
        byLinkDomain = Dictionary(projects.flatMap { project in project.linkDomains.map { ($0, project.id) } }) { first, _ in first }
        self.sample = sample
    }

    package var all: [Project] { byID.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { self[$0] } }

    package subscript(id: ProjectID) -> Project? { changed[id] ?? configured(id) }

    /// The project without what admins changed.
    func configured(_ id: ProjectID) -> Project? { byID[id] ?? sample?.renamed(id) }

    /// Puts the project with an admin's changes in its place. Ids, keys and link domains stay: those are the file's.
    mutating func replace(_ project: Project) { changed[project.id] = project }

    /// Puts what an upstream said into the file's project, under an admin's changes. They stay as they are: of such a project none are made.
    mutating func configure(_ project: Project) {
        byID[project.id] = project
        changed[project.id] = nil
    }

    package func project(apiKey: String) -> Project? {
        if let id = byKey[apiKey] { return self[id] }
        guard let sample, !apiKey.isEmpty else { return nil }
        return apiKey.hasPrefix(Self.developmentKey)
            ? self[ProjectID(rawValue: String(apiKey.dropFirst(Self.developmentKey.count)))] : self[sample.id]
    }

    /// The project that a link domain belongs to.
    package func project(linkDomain: LinkDomain) -> Project? { byLinkDomain[linkDomain].flatMap { self[$0] } }

    /// The key that stands in a project's links where the caller sent none.
    package func linkKey(of project: Project) -> String {
        sample == nil || byID[project.id] != nil ? project.apiKeys.min() ?? "" : Self.developmentKey + project.id.rawValue
    }
}
