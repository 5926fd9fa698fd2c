import ArgumentParser
import Foundation

/// `onward generate`, which developers run after a change of a command or a setting.
struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the sample configuration, its schema, manual pages and shell completions.",
        discussion: """
            The files are made from the commands and from the declarations of the configuration's keys. The tests compare the files of \
            the repository with them.

            EXAMPLE
              onward generate --root .
            """,
        shouldDisplay: false)

    @Option(help: ArgumentHelp("The folder with Config and Docs of the sources.", valueName: "path")) var root = "."

    func run() async throws {
        try await running {
            for (path, text) in try GeneratedFiles().contents {
                let file = URL(filePath: "\(root)/\(path)")
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
                print(file.path(percentEncoded: false))
            }
        }
    }
}
