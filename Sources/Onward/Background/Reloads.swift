import Foundation
import Logging
import Queues

/// When the configuration is to be read again, and how.
struct Reloads: Sendable {
    /// One element for all who asked since the last.
    let asked: AsyncStream<Void>
    let read: @Sendable () throws -> Configuration
}

extension Installation {
    /// Until the stream ends or the task is cancelled. What cannot be used changes nothing but the log (Z3).
    func run(_ reloads: Reloads, telling supervisor: Supervisor?) async {
        for await _ in reloads.asked {
            supervisor?.tellReloading()
            do {
                let waiting = try await adopt(reloads.read)
                supervisor?.tell("READY=1", "STATUS=")
                resources.logger.notice("the configuration was read again")
                if !waiting.isEmpty {
                    resources.logger.warning(
                        "some of the configuration waits for a restart", metadata: ["keys": .array(waiting.map { "\($0)" })])
                }
            } catch {
                let problems = (error as? InvalidConfiguration)?.problems.map(\.description) ?? [explanation(of: error) ?? "\(error)"]
                for problem in problems { resources.logger.error(Self.refusal, metadata: ["problem": "\(problem)"]) }
                supervisor?.tell("READY=1", "STATUS=\(Self.refusal): see the log")
            }
        }
    }

    private static let refusal: Logger.Message = "the configuration stays as it was: what was read cannot be used"

    /// Brings a configuration into force, as a whole or not at all: throws what is wrong with it, and then nothing has changed. What admins
    /// changed since lies on top of it.
    /// - Parameter read: runs where it holds up nobody.
    /// - Returns: the keys whose new values wait for a restart.
    @discardableResult
    func adopt(_ read: @escaping @Sendable () throws -> Configuration) async throws -> [String] {
        let old = site.value
        let (configuration, waiting, loaded) = try await resources.reader.run { [mode = resources.mode] in
            let (configuration, waiting) = try read().fitting(old.configuration)
            return (configuration, waiting, try LoadedResources(configuration, mode: mode))
        }
        let new = try await ConfiguredSite(configuration, loaded, on: resources, after: old)
        try await resources.certificates?.adopt(configuration.tls, for: server)
        site.update { $0 = new }
        await warnOfUncovered()
        return waiting
    }
}
