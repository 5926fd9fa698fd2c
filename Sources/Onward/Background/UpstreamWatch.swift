import Accounts
import EmailActions
import Logging
import Upstream

/// Keeps the authorised domains of projects that leave them to their upstreams. What was read last stays in force for as long as nothing
/// newer can be read.
struct UpstreamWatch: Sendable {
    /// Those that are in force: a reload makes others.
    let projects: @Sendable () -> CurrentProjects
    let upstreams: Upstreams
    let logger: Logger

    /// Between two tries for projects that wait for their first reading.
    private static let pause = Duration.seconds(10)
    /// In as many pauses a change in the console arrives.
    private static let round = 30

    /// Reads them once. What cannot be read is logged.
    /// - Parameter onlyAtAwaited: passes over those that have been read before.
    func look(onlyAtAwaited: Bool = false) async {
        let projects = projects()
        await withTaskGroup { group in
            for project in projects.value.all {
                switch project.upstream?.domains {
                case .awaited: group.addTask { await look(at: project, among: projects) }
                case .read where !onlyAtAwaited: group.addTask { await look(at: project, among: projects) }
                case .read, .file, nil: break
                }
            }
        }
    }

    private func look(at project: Project, among projects: CurrentProjects) async {
        guard let base = project.upstream?.base else { return }
        do throws(ActionError) {
            let hosts = try await upstreams[base: base].authorizedDomains(of: project)
            let refused = projects.authorize(hosts, for: project.id)
            for host in refused where project.upstream?.domains == .awaited {
                logger.warning(
                    "an authorized domain of an upstream is not used", metadata: ["project": "\(project.id)", "entry": "\(host)"])
            }
        } catch {
            logger.error(
                "the authorized domains of an upstream were not read", metadata: ["project": "\(project.id)", "cause": "\(error.cause)"])
        }
    }

    /// Until its task is cancelled.
    func run() async {
        var pauses = 0
        while (try? await Task.sleep(for: Self.pause)) != nil {
            pauses += 1
            await look(onlyAtAwaited: !pauses.isMultiple(of: Self.round))
        }
    }
}

extension Upstreams {
    /// For commands, which say what they find themselves.
    static let ofCommands = Upstreams(now: System.now, logger: Logger(label: "onward") { _ in SwiftLogNoOpLogHandler() })
}

extension Project {
    /// The project with the domains that its upstream authorises now, where it leaves them to it.
    func authorizedByUpstream() async throws(ActionError) -> Project {
        guard let upstream = self.upstream, upstream.domains != .file else { return self }
        return authorizing(try await Upstreams.ofCommands[base: upstream.base].authorizedDomains(of: self)).project
    }
}

extension IdentityToolkitClient {
    /// By the first of the project's keys that works: not each need be for servers.
    func authorizedDomains(of project: Project) async throws(ActionError) -> [String] {
        var last = ActionError.unavailable(Unavailable(.upstream, cause: "project \(project.id) has no API key"))
        for key in project.apiKeys.sorted() {
            do throws(ActionError) {
                let caller = UpstreamCaller(apiKey: key, language: nil, page: project.actionURL)
                return try await projectConfig(for: caller).authorizedDomains
            } catch { last = error }
        }
        throw last
    }
}

extension ActionError {
    /// For whoever operates Onward.
    var cause: String {
        switch self {
        case .unavailable(let down): down.cause
        case .refused(let refusal, _), .tooSoon(let refusal, _): refusal.rawValue
        }
    }
}
