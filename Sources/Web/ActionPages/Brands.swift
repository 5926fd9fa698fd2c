internal import Accounts
package import EmailActions
package import Views

/// How each project looks, made at start so that a missing logo or a faint accent is found then.
package struct Brands: Sendable {
    private let byProject: [ProjectID: Brand]
    /// For pages that belong to no project.
    package let standard: Brand
    /// All files that pages load, by path, and what browsers ask for where no page names it.
    let files: [String: PublicFile]

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
        let all = [standard] + byProject.values
        let assets = Dictionary(all.flatMap(\.assets).map { ($0.path, $0) }) { first, _ in first }
        files = assets.mapValues { PublicFile($0) }.merging(["/favicon.ico": PublicFile(standard.icon, fresh: .atMost(.hours(1)))]) { $1 }
    }

    package struct Unusable: Error, Sendable {
        package let explanation: String
    }

    /// The brand of a project; in development other ids look like the sample.
    package func brand(of project: Project) -> Brand { byProject[project.id] ?? byProject.values.first ?? standard }
}
