public import Accounts
import Base
import Configuration
import Logging
public import Remote

/// Refreshes what Onward knows of upstreams: their rules for passwords, and the authorised domains
/// of projects that take them from there. If an upstream fails, the last answer stays in force.
struct UpstreamWatch: Sendable {
    /// Returns the projects in force, which a reload replaces.
    let projects: @Sendable () -> CurrentProjects
    let upstreams: Upstreams
    let logger: Logger

    /// Reads everything once. Failures are logged.
    /// - Parameter onlyAwaited: skips what has been read before.
    func refresh(onlyAwaited: Bool = false) async {
        let projects = projects()
        await withTaskGroup { group in
            for project in projects.value.all {
                guard let upstream = project.upstream else { continue }
                if upstream.domains == .awaited || upstream.domains == .read && !onlyAwaited {
                    group.addTask { await refreshDomains(of: project, in: projects) }
                }
                // The rules that refusals named may have changed, even if there is no answer.
                if !onlyAwaited { projects.forgetLearntPasswords(of: project.id) }
                if !onlyAwaited || upstream.passwords == nil {
                    group.addTask { await refreshPasswords(of: project, by: upstreams[base: upstream.base], in: projects) }
                }
            }
        }
    }

    private func refreshDomains(of project: Project, in projects: CurrentProjects) async {
        guard let base = project.upstream?.base else { return }
        do throws(ActionError) {
            let hosts = try await upstreams[base: base].authorizedDomains(of: project)
            let refused = projects.authorize(hosts, for: project.id)
            for host in refused where project.upstream?.domains == .awaited {
                logger.warning(
                    "authorized domain of upstream ignored", metadata: ["project": "\(project.id)", "entry": "\(host)"])
            }
        } catch {
            logger.error(
                "authorized domains refresh failed", metadata: ["project": "\(project.id)", "cause": "\(error.cause)"])
        }
    }

    private func refreshPasswords(of project: Project, by client: IdentityToolkitClient, in projects: CurrentProjects) async {
        guard let rules = try? await client.firstAnswer(of: project, client.passwordPolicy) else { return }
        projects.require(rules, for: project.id)
    }

    /// Asks often for what was never read, and for everything every five minutes.
    var job: PeriodicJob {
        let passes = AtomicCounter()
        return PeriodicJob(every: .seconds(10)) {
            passes.add()
            await refresh(onlyAwaited: !passes.value.isMultiple(of: 30))
        }
    }
}

extension Upstreams {
    /// The upstreams for commands, which print failures instead of logging them.
    public static let forCommands = Upstreams(logger: Logger(label: "onward") { _ in SwiftLogNoOpLogHandler() })
}

extension FirebaseHelpers {
    /// The helper pages for commands.
    public static let forCommands = FirebaseHelpers(logger: Logger(label: "onward") { _ in SwiftLogNoOpLogHandler() })
}

extension Project {
    /// The project with the current authorised domains of its upstream, if it takes them from
    /// there.
    public func authorizedByUpstream() async throws(ActionError) -> Project {
        guard let upstream = self.upstream, upstream.domains != .file else { return self }
        return authorizing(try await Upstreams.forCommands[base: upstream.base].authorizedDomains(of: self)).project
    }
}

extension IdentityToolkitClient {
    public func authorizedDomains(of project: Project) async throws(ActionError) -> [String] {
        try await firstAnswer(of: project, projectConfig).authorizedDomains
    }

    /// The answer to the first API key of the project that works. Some keys may be restricted to
    /// browsers or apps.
    func firstAnswer<T>(
        of project: Project, _ ask: (UpstreamCaller) async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        var last = ActionError.unavailable(Unavailable(.upstream, cause: "project \(project.id) has no API key"))
        for key in project.apiKeys.sorted() {
            do throws(ActionError) {
                return try await ask(UpstreamCaller(apiKey: key, language: nil, page: project.actionURL))
            } catch { last = error }
        }
        throw last
    }
}
