import ArgumentParser
import Foundation

/// `onward generate`, which developers run after a change of a command or a setting.
struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes manual pages, shell completions and the schema of the configuration.",
        discussion: """
            The files are made from the commands and from the code that reads the configuration; the comments of Config/onward.yaml \
            explain its keys. The tests compare the files of the repository with them.

            EXAMPLE
              onward generate --root .
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The folder with Config and Docs of the sources.", valueName: "path")) var root = "."

    func run() async throws {
        try await running {
            let sample = try String(contentsOf: URL(filePath: root + "/Config/onward.yaml"), encoding: .utf8)
            for (path, text) in try GeneratedFiles(sample: sample).contents {
                let file = URL(filePath: "\(root)/\(path)")
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
                print(file.path(percentEncoded: false))
            }
        }
    }
}
