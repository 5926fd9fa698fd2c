import Accounts
import EmailActions
import Foundation
import Views
import Web

/// What the resources folder and the configuration make together: the projects as they will look and speak.
struct LoadedResources: Sendable {
    let projects: Projects
    let views: Views
    let brands: Brands

    /// Throws what an operator can read: a folder, a template, a language or a logo that is missing or wrong.
    init(_ configuration: Configuration, mode: Installation.Mode) throws {
        let resources = try Resources.folder(named: configuration.resources)
        views = try Views(resources: resources)
        switch mode {
        case .production:
            let common = try CommonPasswords(file: resources + "/Config/common-passwords.txt")
            projects = Projects(configuration.projects.map { $0.refusing(common) })
        case .development(let sample, _):
            // Tests of apps sign up with "123456" and "password": in development those are as good as any.
            projects = .development(sample: sample)
        }
        brands = try Brands(projects, views: views)
        for project in projects.all where views.language(matching: project.language) == nil {
            throw UnknownLanguage(project: project, shipped: views.languages.map(\.code))
        }
    }

    /// A project's language that no file in `Config/languages` holds.
    struct UnknownLanguage: Error, CustomStringConvertible {
        let project: Project
        let shipped: [String]

        var description: String {
            "project \(project.id): there is no language \"\(project.language)\"; there are \(shipped.joined(separator: ", "))"
        }
    }
}

extension Project {
    /// The same project, which takes none of the passwords that everyone tries first (S3).
    fileprivate func refusing(_ common: CommonPasswords) -> Project {
        var project = self
        project.passwordPolicy.common = common
        return project
    }
}
