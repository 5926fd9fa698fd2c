import ArgumentParser
import Configuration
import Server

/// The files that are made from the commands and from the declarations of the configuration's keys:
/// the sample, the schema for editors, the manual pages and the completions of shells.
struct GeneratedFiles {
    /// The content of each file by its path in the repository.
    let contents: [(path: String, text: String)]

    init() throws {
        func completion(_ shell: CompletionShell) -> String { OnwardCommand.completionScript(for: shell) + "\n" }
        contents =
            Configuration.documents(version: Version.current) + [
                ("Config/completions/onward.bash", completion(.bash)),
                ("Config/completions/_onward", completion(.zsh)),
                ("Config/completions/onward.fish", completion(.fish)),
                ("Docs/man/onward.1", try CommandManual(of: OnwardCommand.self).text),
            ]
    }
}
