import ArgumentParser
import Server

@testable import CommandLine
@testable import Configuration

/// The files that are made from the commands and from the declarations of the configuration's keys:
/// the sample, the schema for editors, the manual pages and the completions of shells.
struct GeneratedFiles {
    /// The content of each file by its path in the repository.
    let contents: [String: String]

    init() throws {
        func completion(_ shell: CompletionShell) -> String { OnwardCommand.completionScript(for: shell) + "\n" }
        let keys = Configuration.keys.map { $0.description(defaults: Configuration()) }
        contents = [
            "Config/onward.yaml": SampleConfiguration(keys: keys).text,
            "Config/onward.schema.json": ConfigurationSchema(keys: keys).json.indented() + "\n",
            "Config/completions/onward.bash": completion(.bash),
            "Config/completions/_onward": completion(.zsh),
            "Config/completions/onward.fish": completion(.fish),
            "Docs/man/onward.1": try CommandManual(of: OnwardCommand.self).text,
            "Docs/man/onward.yaml.5": ConfigurationManual(keys: keys, version: Version.current).text,
        ]
    }
}
