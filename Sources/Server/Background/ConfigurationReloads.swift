import Base
public import Configuration
import Foundation
import Logging
import Network

/// The requests to reload the configuration, and how it is read.
public struct ConfigurationReloads: Sendable {
    /// The requests; those that arrive during a reload count as one.
    let requests: AsyncStream<Void>
    let read: @Sendable (_ running: Configuration) throws -> Configuration

    public init(requests: AsyncStream<Void>, read: @escaping @Sendable (_ running: Configuration) throws -> Configuration) {
        (self.requests, self.read) = (requests, read)
    }
}

extension Installation {
    /// Reloads on each request until the task is cancelled. A configuration that cannot be used is
    /// logged and changes nothing (Z3).
    public func run(_ reloads: ConfigurationReloads, notifying systemd: SystemdNotifier?) async {
        for await _ in reloads.requests {
            systemd?.notifyReloading()
            do {
                let keys = try await apply(reloads.read)
                systemd?.notify("READY=1", "STATUS=")
                resources.logger.notice("configuration reloaded")
                if !keys.isEmpty {
                    resources.logger.warning(
                        "configuration reload incomplete, some keys need a restart", metadata: ["keys": .array(keys.map { "\($0)" })])
                }
            } catch {
                let problems = (error as? InvalidConfiguration)?.problems.map(\.description) ?? [explanation(of: error)]
                for problem in problems { resources.logger.error(Self.reloadFailed, metadata: ["problem": "\(problem)"]) }
                systemd?.notify("READY=1", "STATUS=\(Self.reloadFailed): see the log")
            }
        }
    }

    private static let reloadFailed: Logger.Message = "configuration reload failed, the current configuration stays in force"

    /// Puts a configuration into force as a whole, or throws and changes nothing. Settings that
    /// admins have changed are applied to it.
    /// - Parameter read: reads the configuration that replaces the running one, on a worker thread.
    /// - Returns: the keys whose new values need a restart.
    @discardableResult
    func apply(_ read: @escaping @Sendable (_ running: Configuration) throws -> Configuration) async throws -> [String] {
        let old = site.value
        let (configuration, keys, loaded) = try await resources.reloadWorker.run { [mode = resources.mode] in
            let (configuration, keys) = try read(old.configuration).keepingRestartOnlyValues(of: old.configuration)
            return (configuration, keys, try LoadedResources(configuration, mode: mode))
        }
        let new = try await ConfiguredSite(configuration, loaded, on: resources, after: old)
        try await resources.certificates?.use(configuration.tls, naming: configuration.linkHosts, for: server)
        site.update { $0 = new }
        resources.tellEvents(of: configuration)
        warnOfOmissions(in: loaded)
        return keys
    }
}
