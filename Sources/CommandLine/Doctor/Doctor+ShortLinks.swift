import Accounts
import Configuration
import Foundation
import Server
import Store

extension Doctor {
    /// The most links of a project that are checked.
    private static let maxShortLinks = 10_000

    /// Whether the stored links still lead to authorised domains and registered apps. If the
    /// database cannot be read, `machine` says so.
    func shortLinks() async -> [Diagnosis] {
        guard (try? configuration.database.requireFile()) != nil else { return [] }
        let changes = await StoredAdminSettings(database: configuration.database)
        let projects = configuration.projects.filter { $0.upstream == nil }.map { changes.applied(to: $0) }
        return
            (try? await configuration.database.withStoreAsItIs { store in
                var found: [Diagnosis] = []
                for project in projects {
                    let links = try await store.shortLinks(in: project.id, after: 0, limit: Self.maxShortLinks)
                    if let diagnosis = Self.shortLinks(links.filter { $0.disabledAt == nil }, of: project) { found.append(diagnosis) }
                }
                return found
            }) ?? []
    }

    /// Nil for a project without links.
    static func shortLinks(_ links: [ShortLink], of project: Project) -> Diagnosis? {
        guard !links.isEmpty else { return nil }
        let subject = "short links of project \(project.id)"
        let refused = links.compactMap { link -> (url: String, why: String)? in
            do throws(AppLinkRefusal) {
                _ = try project.approve(link, visitedWith: [])
                return nil
            } catch { return (link.url, error.explanation) }
        }
        guard let first = refused.first else { return .ok(subject, "\(links.count) checked, and all lead somewhere") }
        return .warning(
            subject, "\(refused.count) of \(links.count) are refused, such as \(first.url): \(first.why)",
            "Correct authorizedDomains, linkDomains and apps, or end the links with `onward links disable`.")
    }
}
