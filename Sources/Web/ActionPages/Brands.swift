internal import Accounts
package import EmailActions
package import Views

/// How each project looks, made at start so that a missing logo or a faint accent is found then.
package struct Brands: Sendable {
    private let byProject: [ProjectID: Brand]
    /// For pages that belong to no project.
    package let standard: Brand
    /// All files that pages load, by path, and what browsers ask for where no page names it.
    private let files: [String: PublicFile]
    /// Those that pages load, by their names alone.
    private let successors: [Substring: PublicFile]

    /// Throws a sentence that names the project and what is wrong with its appearance.
    package init(_ projects: Projects, views: Views) throws(Unusable) {
        do {
            standard = try views.brand(name: "Onward")
            byProject = Dictionary(
                uniqueKeysWithValues: try projects.all.map { project in
                    let look = project.appearance
                    let accent = try look.accent.map { try Accent(light: $0) } ?? .standard
                    return (project.id, try views.brand(name: project.displayName, logo: look.logo, accent: accent, help: look.help))
                })
        } catch { throw Unusable(explanation: "\(error)") }
        // Of one name, that of the only project, or else the one that suits all.
        let all = (byProject.count == 1 ? byProject.values + [standard] : [standard] + byProject.values).flatMap(\.assets)
        let assets = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }.mapValues { PublicFile($0) }
        files = assets.merging(["/favicon.ico": PublicFile(standard.icon, fresh: .atMost(.hours(1)))]) { $1 }
        successors = Dictionary(all.map { ($0.name[...], $0.path) }) { first, _ in first }
            .compactMapValues { assets[$0]?.fresh(.atMost(.seconds(60))) }
    }

    /// What lies at a path. A page that was made by another version of Onward, or before its settings changed, may ask for a file that is
    /// another by now, which serves it better than none (Z8).
    func file(at path: String) -> PublicFile? {
        files[path] ?? Asset.name(at: path).flatMap { successors[$0] }
    }

    package struct Unusable: Error, Sendable {
        package let explanation: String
    }

    /// The brand of a project; in development other ids look like the sample.
    package func brand(of project: Project) -> Brand { byProject[project.id] ?? byProject.values.first ?? standard }
}
