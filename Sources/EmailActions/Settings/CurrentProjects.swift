package import Accounts
internal import Queues

/// The current projects: those of the configuration file, with the changes of admins and upstreams.
/// All changes of projects are made here.
package struct CurrentProjects: Sendable {
    private struct State: Sendable {
        var projects: Projects
        /// The revision of the change that each project currently includes, so that an older change
        /// never overwrites a newer one.
        var adopted: [ProjectID: Int] = [:]
        /// The revision up to which all changes have been read.
        var read = 0
    }

    /// A stored setting that is not used.
    package struct Ignored: Sendable, Hashable {
        package let project: ProjectID
        package let objection: SettingsObjection
    }

    private let state: Locked<State>
    private let store: any SettingsStore
    private let checks: SettingsChecks
    private let now: Now

    /// Starts with the projects of the configuration file. Call `refresh` to add the changes in the
    /// store.
    package init(_ projects: Projects, store: any SettingsStore, checks: SettingsChecks, now: @escaping Now) {
        state = Locked(State(projects: projects))
        self.store = store
        self.checks = checks
        self.now = now
    }

    package var value: Projects { state.value.projects }

    /// Stores a change and applies it; the next request sees it. Refuses `PROJECT_NOT_FOUND`, and
    /// `INVALID_CONFIG` with the name of the first setting that the change would make unacceptable;
    /// nothing is changed then.
    package func change(
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
    package func authorize(_ hosts: [String], for id: ProjectID) -> [String] {
        state.update { state in
            guard let (project, refused) = state.projects.configured(id)?.authorizing(hosts) else { return [] }
            state.projects.configure(project)
            return refused
        }
    }

    /// Replaces the rules for passwords that are known of a project's upstream.
    package func require(_ passwords: PasswordRequirements, for id: ProjectID) {
        changeUpstream(of: id) { $0.passwords = passwords }
    }

    /// Adds the rules for passwords that a refusal of a project's upstream names.
    package func learn(_ passwords: PasswordRequirements, for id: ProjectID) {
        changeUpstream(of: id) { $0.passwords.add(passwords) }
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

    /// Copies what is known of their upstreams from earlier projects that have the same ones.
    package func inheritUpstreams(of earlier: Projects) {
        for project in value.all {
            guard let upstream = project.upstream, let known = earlier[project.id], let answer = known.upstream,
                answer.base == upstream.base
            else { continue }
            require(answer.passwords, for: project.id)
            guard upstream.domains == .awaited, answer.domains == .read else { continue }
            _ = authorize(known.authorizedDomains.texts, for: project.id)
        }
    }

    /// Applies changes that were made by other processes or before this one started. If there are
    /// none, this is one indexed read.
    /// - Returns: the stored settings that are not (or no longer) acceptable and are not used.
    package func refresh() async throws(ActionError) -> [Ignored] {
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
