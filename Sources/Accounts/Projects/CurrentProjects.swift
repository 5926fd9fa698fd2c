public import Base
internal import Network

/// The current projects: those of the configuration file, with the changes of admins and upstreams.
/// All changes of projects are made here.
public struct CurrentProjects: Sendable {
    private struct State: Sendable {
        var projects: Projects
        /// The revision of the change that each project currently includes, so that an older change
        /// never overwrites a newer one.
        var adopted: [ProjectID: Int] = [:]
        /// All changes up to this revision have been read.
        var read = 0
        /// In development, the ids that were named beside that of the project that clients are in.
        var separate: [ProjectID] = []
    }

    /// A stored setting that is not used.
    public struct Ignored: Sendable, Hashable {
        public let project: ProjectID
        public let objection: SettingsObjection
    }

    private let state: Locked<State>
    private let store: any Storage
    private let checks: SettingsChecks
    private let now: Now
    private let adopted: @Sendable (ProjectID) -> Void

    /// Starts with the projects of the configuration file. Call `refresh` to add the changes in the
    /// store.
    /// - Parameter adopted: is called with the alias that a development server's project has taken.
    public init(
        _ projects: Projects, store: any Storage, checks: SettingsChecks, now: @escaping Now,
        adopted: @escaping @Sendable (ProjectID) -> Void = { _ in }
    ) {
        state = Locked(State(projects: projects))
        self.adopted = adopted
        self.store = store
        self.checks = checks
        self.now = now
    }

    public var value: Projects { state.value.projects }

    /// The most ids of other projects that are remembered, because callers choose them.
    private static let maxSeparate = 20

    /// The ids of other projects that a development server was asked for.
    public var separate: [ProjectID] { state.value.separate }

    /// How an id that is named on a development server relates to the project that clients are in.
    public enum ProjectIDUse: Sendable {
        /// It is that project's id or alias, or was named before.
        case known
        /// It has become that project's alias.
        case adopted
        /// It belongs to a project without clients.
        case separate
    }

    /// Notes an id that a call names on a development server. The first one may become the alias of
    /// the project that clients are in, which name no project.
    public func noteProjectID(_ id: ProjectID) -> ProjectIDUse {
        let use: ProjectIDUse = state.update { state in
            if state.projects.adopt(id) { return .adopted }
            guard !state.projects.isSample(id), !state.separate.contains(id), state.separate.count < Self.maxSeparate else { return .known }
            state.separate.append(id)
            return .separate
        }
        if case .adopted = use { adopted(id) }
        return use
    }

    /// Stores a change and applies it; the next request sees it. Refuses `PROJECT_NOT_FOUND`, and
    /// `INVALID_CONFIG` with the name of the first setting that the change would make unacceptable;
    /// nothing is changed then.
    public func change(
        _ id: ProjectID, by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> Project {
        guard let file = value.configured(id) else { throw .refused(.projectNotFound) }
        let stored = try await store.changeSettings(of: id, at: now()) { [checks] settings throws(ActionError) in
            // Settings that a new configuration file made unacceptable must not block other
            // changes.
            let known = Set(file.applying(settings, checks: checks).objections)
            try change(&settings)
            if let new = file.applying(settings, checks: checks).objections.first(where: { !known.contains($0) }) {
                throw .refused(.invalidConfig, detail: "\(new.field): \(new.sentence)")
            }
        }
        adopt([stored])
        return value[id] ?? file
    }

    /// Applies the hosts that an upstream authorises for its project.
    /// - Returns: the hosts that cannot be used and are left out.
    public func authorize(_ hosts: [String], for id: ProjectID) -> [String] {
        state.update { state in
            guard let (project, refused) = state.projects.configured(id)?.authorizing(hosts) else { return [] }
            state.projects.configure(project)
            return refused
        }
    }

    /// Replaces the rules for passwords that are known of a project's upstream.
    public func require(_ passwords: PasswordRequirements, for id: ProjectID) {
        changeUpstream(of: id) { $0.passwords = passwords }
    }

    /// Forgets the rules for passwords that refusals of a project's upstream named.
    public func forgetLearntPasswords(of id: ProjectID) { changeUpstream(of: id) { $0.learntPasswords = [:] } }

    /// Adds the rules for passwords that an upstream's refusal of an action names.
    public func learn(_ passwords: PasswordRequirements, from pending: PendingAction) {
        changeUpstream(of: pending.project.id) { $0.learntPasswords[pending.tenant, default: PasswordRequirements()].add(passwords) }
    }

    private func changeUpstream(of id: ProjectID, by change: (inout UpstreamProject) -> Void) {
        state.update { state in
            guard var project = state.projects.configured(id), var upstream = project.upstream else { return }
            change(&upstream)
            guard upstream != project.upstream else { return }
            project.upstream = upstream
            state.projects.configure(project)
        }
    }

    /// Copies what is known of their upstreams from earlier projects that have the same ones. All
    /// projects of Firebase have one base URL, so a key has to be the same, too.
    public func inheritUpstreams(of earlier: Projects) {
        for project in value.all {
            guard let upstream = project.upstream, let known = earlier[project.id], let answer = known.upstream,
                answer.base == upstream.base, !known.apiKeys.isDisjoint(with: project.apiKeys)
            else { continue }
            if let passwords = answer.passwords { require(passwords, for: project.id) }
            guard upstream.domains == .awaited, answer.domains == .read else { continue }
            _ = authorize(known.authorizedDomains.texts, for: project.id)
        }
    }

    /// Applies changes that were made by other processes or before this one started. If there are
    /// none, this is one indexed read.
    /// - Returns: the stored settings that are not (or no longer) acceptable and are not used.
    public func refresh() async throws(ActionError) -> [Ignored] {
        let read = state.value.read
        guard try await store.newestSettingsRevision() != read else { return [] }
        let changes = try await store.settings(changedAfter: read)
        let ignored = adopt(changes)
        state.update { $0.read = max($0.read, changes.last?.revision ?? 0) }
        return ignored
    }

    @discardableResult
    private func adopt(_ changes: [StoredSettings]) -> [Ignored] {
        state.update { state in
            changes.flatMap { stored -> [Ignored] in
                let id = stored.project
                guard state.adopted[id, default: 0] < stored.revision, let file = state.projects.configured(id) else { return [] }
                state.adopted[id] = stored.revision
                guard let settings = stored.settings else {
                    let sentence = "Another version of Onward stored these settings, in a format that this one cannot read"
                    return [Ignored(project: id, objection: SettingsObjection(field: "*", sentence: sentence))]
                }
                let (project, objections) = file.applying(settings, checks: checks)
                state.projects.replace(project)
                return objections.map { Ignored(project: id, objection: $0) }
            }
        }
    }
}
