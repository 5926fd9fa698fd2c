import Accounts
import ArgumentParser
import EmailActions

/// `onward explain-url`: why a continue URL is taken or refused.
struct ExplainURL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-url",
        abstract: "Says whether people may be sent on to a URL, by which rule, and what would allow it.",
        discussion: """
            Reads the URL as the server does and looks for it in the authorised domains of each project, or of one: those of the \
            configuration file, or in their place those that admins set through the API, or those of a project's upstream. For a URL that is refused it prints the line to add. The exit status is 0 if a project allows it, 1 if none does. Secrets are not needed.

            EXAMPLES
              onward explain-url https://app.example.com/welcome
              onward explain-url 'https://evil.example\\@good.example/' --project my-app
            """)

    @Argument(help: "The URL, in quotes.") var url: String
    @Option(help: ArgumentHelp("Only this project.", valueName: "id")) var project: String?
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try Configuration(file: file.path, environment: nil)
            let all = configuration.projects
            let projects = project.map { id in all.filter { $0.id.rawValue == id } } ?? all
            guard !projects.isEmpty else {
                throw Failure("there is no project \(project ?? ""); there are \(all.map(\.id.rawValue).joined(separator: ", "))")
            }
            let changes = await AdminChanges(database: configuration.database)
            var explanations: [(Project, AuthorizedDomains.Explanation)] = []
            for file in projects {
                let project = try await changes.applied(to: file, speaks: { _ in true }).project.authorizedByUpstream()
                explanations.append((project, project.authorizedDomains.explain(url)))
            }
            for (project, explanation) in explanations { print(Self.text(of: explanation, in: project)) }
            if let caveat = changes.caveat { print(caveat) }
            guard explanations.contains(where: { $0.1.isAllowed }) else { throw ExitCode.failure }
        }
    }

    /// The project, the decision, and under a no the line that would change it.
    static func text(of explanation: AuthorizedDomains.Explanation, in project: Project) -> String {
        let line = explanation.configurationLine.map { "\n    add under project \(project.id):  \($0)" }
        return "\(project.id): \(explanation.sentence)\(line ?? "")"
    }
}

extension AuthorizedDomains.Explanation {
    fileprivate var isAllowed: Bool {
        switch self {
        case .allowed: true
        case .refused: false
        }
    }
}
