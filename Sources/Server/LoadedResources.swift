public import Accounts
public import Base
public import Configuration
import Foundation
public import Mail
public import Views
public import Web

/// The projects, views, templates and brands built from the resources folder and the configuration.
public struct LoadedResources: Sendable {
    public let projects: Projects
    public let views: Views
    let templates: ProjectTemplates
    public let brands: Brands
    public let resources: Resources

    /// Loads everything; throws an error for the operator if a folder, template, language or logo
    /// is missing or invalid.
    public init(_ configuration: Configuration, mode: Installation.RunMode) throws {
        if let folder = configuration.acmeChallenges, !System.isFolder(folder) {
            throw SettingError("acmeChallenges: \(folder) is not a folder; create it, or correct the path")
        }
        resources = try Resources(named: configuration.resources)
        // A developer changes words, and hears of a mistake at once.
        views = try configuration.views ?? Views(resources: resources, checksWords: mode.isDevelopment)
        templates = try ProjectTemplates(resources: resources, views: views)
        switch mode {
        case .production:
            let common = try Self.commonPasswords(in: resources)
            projects = Projects(configuration.projects.map { $0.refusing(common) })
        case .development(let options):
            let isStrict = options.passwordRules == .production
            let sample = isStrict ? options.sample.refusing(try Self.commonPasswords(in: resources)) : options.sample
            projects = .development(sample: sample, adoptsName: options.adoptsName, alias: options.alias)
        }
        brands = try Brands(projects, views: views)
        for project in projects.all where views.language(matching: project.language) == nil {
            throw UnknownLanguage(project: project, shipped: views.languages.map(\.code))
        }
    }

    /// Reads the words of each language of the release. A server reads them when they are first
    /// shown, and shows English in place of a damaged file.
    public func checkWords() throws(ResourceError) { _ = try Views(resources: resources, checksWords: true) }

    private static func commonPasswords(in resources: Resources) throws -> CommonPasswords {
        try CommonPasswords(file: resources.path("Config/common-passwords.txt"))
    }

    /// A line for each of the operator's own files that is there in vain or lacks a word.
    public var remarks: [String] {
        let folder = ProjectTemplates.folder(in: resources)
        let expected = "not used: expected the id of a project as its name: \(projects.all.map(\.id.rawValue).joined(separator: ", "))"
        return templates.projects.filter { projects[ProjectID(rawValue: $0)] == nil }.sorted().map { "\(folder)/\($0): \(expected)" }
            + views.remarks.map(\.description)
    }

    /// The composer of the projects' mails.
    /// - Parameter origin: the public origin, which serves the projects' logos.
    public func composer(at origin: WebURL) -> LetterComposer {
        LetterComposer(views: views, templates: templates, brand: brands.brand, origin: origin.origin)
    }

    /// The error for a project whose language has no file in `Config/languages`.
    public struct UnknownLanguage: Error, CustomStringConvertible {
        public let project: Project
        let shipped: [String]

        public var description: String {
            "project \(project.id): unknown language \"\(project.language)\"; expected one of \(shipped.joined(separator: ", "))"
        }
    }
}

extension Project {
    /// The project with a password policy that refuses common passwords (S3).
    fileprivate func refusing(_ common: CommonPasswords) -> Project {
        var project = self
        project.passwordPolicy.common = common
        return project
    }
}
