import ArgumentParser

/// The files that are made from the commands and from the code that reads the configuration: the
/// manual pages, the completions of shells and the schema for editors.
struct GeneratedFiles {
    /// The content of each file by its path in the repository.
    let contents: [(path: String, text: String)]

    /// - Parameter sample: the text of Config/onward.yaml, whose comments explain the keys.
    init(sample: String) throws {
        let file = Configuration.description()
        let comments = SampleComments(sample: sample, known: DescribedKey.paths(of: file))
        func completion(_ shell: CompletionShell) -> String { OnwardCommand.completionScript(for: shell) + "\n" }
        contents = [
            ("Config/onward.schema.json", ConfigurationSchema(file: file, comments: comments).json.indented() + "\n"),
            ("Config/completions/onward.bash", completion(.bash)),
            ("Config/completions/_onward", completion(.zsh)),
            ("Config/completions/onward.fish", completion(.fish)),
            ("Docs/man/onward.1", try CommandManual(of: OnwardCommand.self).text),
            ("Docs/man/onward.yaml.5", ConfigurationManual(file: file, comments: comments).text),
        ]
    }
}
