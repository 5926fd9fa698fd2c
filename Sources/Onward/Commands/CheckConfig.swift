import Accounts
import ArgumentParser
import EmailActions
import HTTPServer
import Upstream
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
            there, it also names what admins set through the API that does not fit the file any more; that stops nothing. Where it is not, and its folder neither, it says so. Projects whose \
            authority is elsewhere are tried there, and it says what to set in Firebase's console.

            EXAMPLE
              onward check-config --config /etc/onward/onward.yaml && systemctl restart onward
            """)

    @OptionGroup var file: ConfigurationFile

    /// What the upstream of a project says to each of its keys, and what is left to do in the console. Nothing for a project without.
    static func trial(of project: Project) async -> [String] {
        guard let base = project.upstream?.base else { return [] }
        let upstream = Upstreams.ofCommands[base: base]
        var lines: [String] = []
        for key in project.apiKeys.sorted() {
            let name = "project \(project.id): API key \(key.prefix(8))…"
            do throws(ActionError) {
                let caller = UpstreamCaller(apiKey: key, language: nil, page: project.actionURL)
                let hosts = try await upstream.projectConfig(for: caller).authorizedDomains
                let refused = project.authorizing(hosts).refused
                lines.append("\(name) works. Authorized domains there: \(hosts.joined(separator: ", "))")
                if !refused.isEmpty { lines.append("\(name): not used, as they are no bare hosts: \(refused.joined(separator: ", "))") }
            } catch {
                lines.append("\(name) does not work: \(error.cause)")
            }
        }
        lines.append(
            "project \(project.id): in Firebase's console, under Authentication, Templates, edit any template, choose "
                + "\"Customize action URL\" and paste \(project.actionURL.serialized)")
        return lines
    }

    func run() async throws {
        try await running {
            let configuration = try file.read()
            let views = try LoadedResources(configuration, mode: .production).views
            let changes = await AdminChanges(database: configuration.database)
            if let remark = changes.remark { print(remark) }
            for project in configuration.projects {
                for objection in changes.applied(to: project, speaks: { views.language(matching: $0) != nil }).objections {
                    print("project \(project.id): what an admin set for \(objection.field) is not used: \(objection.sentence)")
                }
            }
            for project in configuration.projects { for line in await Self.trial(of: project) { print(line) } }
            let projects = configuration.projects.map(\.id.rawValue).joined(separator: ", ")
            let admins = configuration.adminListen.map(\.description).joined(separator: ", ")
            print(
                "\(file.path): fine. Projects: \(projects). Origin: \(configuration.publicOrigin.origin)"
                    + (admins.isEmpty ? "" : ". Whoever reaches \(admins) is admin"))
        }
    }
}
