import Accounts
import ArgumentParser
import Configuration
import Server

/// `onward explain-url`, which explains why a continue URL is allowed or refused.
struct ExplainURL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-url",
        abstract: "Explains whether a URL is allowed as a continue URL, by which rule, or what would allow it.",
        discussion: """
            Parses the URL as the server does and compares it with the authorised domains of each project, or of one. They come from the \
            configuration file, from settings of admins, or from the upstream of a project. For a refused URL the entry to add is \
            printed, or a warning if its host looks like an authorised one. The exit status is 0 if a project allows the URL and 1 if none does. Secrets are not needed.

            EXAMPLES
              onward explain-url https://app.example.com/welcome
              onward explain-url 'https://evil.example\\@good.example/' --project my-app
            """)

    @Argument(help: "The URL, in quotes.") var url: String
    @Option(help: ArgumentHelp("Only this project.", valueName: "id")) var project: String?
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.readWithoutSecrets()
            let all = configuration.projects
            let projects = project.map { id in all.filter { $0.id.rawValue == id } } ?? all
            guard !projects.isEmpty else {
                throw Failure("unknown project \(project ?? ""); expected one of \(all.map(\.id.rawValue).joined(separator: ", "))")
            }
            let changes = await StoredAdminSettings(database: configuration.database)
            var explanations: [(Project, AuthorizedDomains.Explanation)] = []
            for file in projects {
                let project = try await changes.applied(to: file).authorizedByUpstream()
                explanations.append((project, project.authorizedDomains.explain(url)))
            }
            for (project, explanation) in explanations { print(Self.text(of: explanation, in: project)) }
            if let caveat = changes.caveat { print(caveat) }
            guard explanations.contains(where: { $0.1.isAllowed }) else { throw ExitCode.failure }
        }
    }

    /// The decision for a project, and for a refused URL the entry that would allow it, or a
    /// warning if its host looks like one that is allowed.
    static func text(of explanation: AuthorizedDomains.Explanation, in project: Project) -> String {
        let decision = "\(project.id): \(explanation.sentence)"
        if case .refused(.notListed(let host, _)) = explanation, let lookAlike = LookAlike(host, of: project.authorizedDomains.hosts) {
            return "\(decision)\n    \(lookAlike.sentence(for: host))"
        }
        guard let (list, entry) = explanation.addition else { return decision }
        return "\(decision)\n    add to \(list) of project \(project.id):\n      - \"\(entry)\""
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
