import Foundation
public import Mail
public import Views

/// Finds the folder with `Config` and `Public`, the files that an operator may change.
public enum ResourcesFolder {
    private static let requiredFiles = ["Config/templates", "Config/languages", "Public"]

    /// The error thrown if no candidate contains the required folders.
    public struct Missing: Error, CustomStringConvertible {
        let tried: [String]
        let wasNamed: Bool

        public var description: String {
            let folders = tried.map { "  \($0)" }.joined(separator: "\n")
            return """
                the resources folder, which contains \(requiredFiles.joined(separator: ", ")), was not found. Searched:
                \(folders)
                \(wasNamed ? "Correct the path" : "Set its path") in the key resources of the configuration, or with `onward dev --resources`.
                """
        }
    }

    /// Returns the named folder, otherwise the nearest one at or above the executable, otherwise
    /// the current folder.
    public static func path(named name: String?, executable: String = executable) throws(Missing) -> String {
        let candidates = name.map { [$0] } ?? foldersAbove(executable) + [FileManager.default.currentDirectoryPath]
        guard let folder = candidates.first(where: isComplete) else { throw Missing(tried: candidates, wasNamed: name != nil) }
        return folder
    }

    private static func isComplete(_ folder: String) -> Bool {
        requiredFiles.allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }

    /// The folders above a file: an installed `/usr/bin/onward` finds `/usr/share/onward`, a build
    /// finds its package.
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

    public static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}

extension ProjectTemplates {
    /// The folder of the projects' mail templates in the resources folder.
    public static func folder(in resources: String) -> String { resources + "/Config/templates/mails/projects" }

    /// Reads the templates in the resources folder; the error has all problems in them.
    public init(resources: String, views: Views) throws(InvalidConfiguration) {
        do throws(InvalidTemplates) { try self.init(folder: Self.folder(in: resources), views: views) } catch {
            throw InvalidConfiguration(
                problems: error.problems.map { Problem(file: $0.file, line: $0.line, column: $0.column, key: nil, sentence: $0.sentence) })
        }
    }
}
