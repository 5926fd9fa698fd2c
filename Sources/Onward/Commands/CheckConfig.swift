import Accounts
import ArgumentParser
import EmailActions
import HTTPServer
import Views
import Web
import WebURL

/// `onward check-config`: whether `serve` would start.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether a configuration can be used, and what is wrong with it.",
        discussion: """
            Checks all that `onward serve` checks before it opens the database and listens: keys, values, secrets, templates, languages, \
            logos, certificates. Every problem is printed, as file:line:column: key: what was expected; then the exit status is 78. Where the database is \
            there, it also names what admins set through the API that does not fit the file any more; that stops nothing.

            EXAMPLE
              onward check-config --config /etc/onward/onward.yaml && systemctl restart onward
            """)

    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.read()
            let views = try Furnishing(configuration, mode: .production).views
            let changes = await AdminChanges(database: configuration.database)
            for project in configuration.projects {
                for objection in changes.applied(to: project, speaks: { views.language(matching: $0) != nil }).objections {
                    print("project \(project.id): what an admin set for \(objection.field) is not used: \(objection.sentence)")
                }
            }
            let projects = configuration.projects.map(\.id.rawValue).joined(separator: ", ")
            let admins = configuration.adminListen.map(\.description).joined(separator: ", ")
            print(
                "\(file.path): fine. Projects: \(projects). Origin: \(configuration.publicOrigin.origin)"
                    + (admins.isEmpty ? "" : ". Whoever reaches \(admins) is admin"))
        }
    }
}
