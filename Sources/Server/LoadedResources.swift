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
    private let templatesFolder: String

    /// Loads everything; throws an error for the operator if a folder, template, language or logo
    /// is missing or invalid.
    public init(_ configuration: Configuration, mode: Installation.RunMode) throws {
        let resources = try ResourcesFolder.path(named: configuration.resources)
        views = try configuration.views ?? Views(resources: resources)
        templatesFolder = ProjectTemplates.folder(in: resources)
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

    private static func commonPasswords(in resources: String) throws -> CommonPasswords {
        try CommonPasswords(file: resources + "/Config/common-passwords.txt")
    }

    /// The folders of mail templates that no project uses, because none has their name as its id.
    public var unusedTemplateFolders: [String] {
        templates.projects.filter { projects[ProjectID(rawValue: $0)] == nil }.sorted().map { "\(templatesFolder)/\($0)" }
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
