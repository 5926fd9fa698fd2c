public import Accounts
internal import Base
public import Views

/// The appearance of each project's pages. It is made at start, so that a missing logo or an accent
/// with too little contrast is found then.
public struct Brands: Sendable {
    private let byProject: [ProjectID: Brand]
    /// The brand of the pages of `onward dev`.
    public let standard: Brand
    /// The brand of pages that belong to no project. It has no name.
    public let neutral: Brand
    /// Every file that pages load, by path, and the icon that browsers ask for by themselves.
    private let files: [String: PublicFile]
    /// The current file of each name, for pages that name an older version.
    private let successors: [Substring: PublicFile]

    /// Throws an explanation that names the project and what is wrong with its appearance.
    public init(_ projects: Projects, views: Views) throws(BrandError) {
        do {
            standard = try views.ownBrand(name: "Onward")
            neutral = try views.ownBrand(name: nil)
            byProject = Dictionary(
                uniqueKeysWithValues: try projects.all.map { project in
                    let look = project.appearance
                    let accent = try look.accent.map { try Accent(light: $0) } ?? .standard
                    let zone = NamedTimeZone(project.timeZone) ?? .utc
                    let links = Brand.Links(
                        help: look.help, home: project.homeURL?.serialized, terms: look.terms, privacy: look.privacy)
                    let logo = look.logo.map {
                        Brand.LogoFiles($0, dark: look.logoDark, mail: look.logoMail, hasName: look.logoHasName)
                    }
                    let brand = try views.brand(name: project.displayName, logo: logo, accent: accent, links: links, timeZone: zone)
                    return (project.id, brand)
                })
        } catch { throw BrandError(description: "\(error)") }
        // Of files with one name: that of the only project, or else the standard one.
        let only = byProject.count == 1 ? byProject.values.first ?? standard : standard
        let all = ([only, standard] + byProject.values).flatMap(\.assets)
        let assets = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }.mapValues { PublicFile($0) }
        files = assets.merging(["/favicon.ico": PublicFile(only.icon, fresh: .atMost(.hours(1)))]) { $1 }
        successors = Dictionary(all.map { ($0.name[...], $0.path) }) { first, _ in first }
            .compactMapValues { assets[$0]?.fresh(.atMost(.seconds(60))) }
    }

    /// The file at a path. A page of another version of Onward, or from before a reload, gets the
    /// current file of the same name, which serves it better than none (Z8).
    func file(at path: String) -> PublicFile? {
        files[path] ?? Asset.name(at: path).flatMap { successors[$0] }
    }

    public struct BrandError: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// The brand of a project; in development, projects of other ids look like the sample.
    public func brand(of project: Project) -> Brand { byProject[project.id] ?? byProject.values.first ?? standard }
}
