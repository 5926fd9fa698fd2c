import Foundation

/// The folder that holds what an operator may change: `Config` and `Public`.
enum Resources {
    private static let marks = ["Config/templates", "Config/languages", "Public"]

    /// Nowhere to be found, or not where it was said to be.
    struct Missing: Error, CustomStringConvertible {
        let tried: [String]
        let wasNamed: Bool

        var description: String {
            let folders = tried.map { "  \($0)" }.joined(separator: "\n")
            return """
                the resources folder, which holds \(marks.joined(separator: ", ")), is not here:
                \(folders)
                \(wasNamed ? "Name the right one" : "Name it") with --resources or the key resources of the configuration.
                """
        }
    }

    /// The named folder; else the nearest one at or above the executable's; else the current one.
    static func folder(named name: String?, executable: String = executable) throws(Missing) -> String {
        let candidates = name.map { [$0] } ?? foldersAbove(executable) + [FileManager.default.currentDirectoryPath]
        guard let folder = candidates.first(where: isComplete) else { throw Missing(tried: candidates, wasNamed: name != nil) }
        return folder
    }

    private static func isComplete(_ folder: String) -> Bool {
        marks.allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }

    /// An installed `/usr/bin/onward` finds `/usr/share/onward`, a build finds its package.
    private static func foldersAbove(_ file: String) -> [String] {
        var folder = URL(filePath: file).resolvingSymlinksInPath().deletingLastPathComponent()
        var folders: [String] = []
        while true {
            folders += [
                folder.path(percentEncoded: false).trimmingSuffix("/"), folder.appending(path: "share/onward").path(percentEncoded: false),
            ]
            guard folder.pathComponents.count > 1 else { return folders }
            folder.deleteLastPathComponent()
        }
    }

    private static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}
