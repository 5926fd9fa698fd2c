import Foundation
public import Mail
public import Views

extension Resources {
    private static let parts = ["Config/templates", "Config/languages", "Public"]

    /// Finds the release's files, and those of the folder that a configuration names.
    ///
    /// The release's are in the nearest folder at or above the executable, otherwise in the current
    /// folder. A named folder with all of them may stand for a release that is not found.
    public init(named own: String?, executable: String = Self.executable) throws(NotFound) {
        if let own, !Self.parts.contains(where: { Self.exists("\(own)/\($0)") }) { throw .unusable(own) }
        let candidates = Self.foldersAbove(executable) + [FileManager.default.currentDirectoryPath] + (own.map { [$0] } ?? [])
        guard let release = candidates.first(where: { folder in Self.parts.allSatisfy { Self.exists("\(folder)/\($0)") } }) else {
            throw .noRelease(searched: candidates)
        }
        self.init(release: release, own: own.flatMap { Self.resolved($0) == Self.resolved(release) ? nil : $0 })
    }

    public enum NotFound: Error, CustomStringConvertible {
        /// The named folder is missing, or has none of the files that may be changed.
        case unusable(String)
        case noRelease(searched: [String])

        public var description: String {
            switch self {
            case .unusable(let folder):
                """
                the resources folder \(folder) has neither \(parts.joined(separator: " nor ")). It holds what differs from the release, \
                in folders of these names.
                """
            case .noRelease(let searched):
                """
                the release's folder with \(parts.joined(separator: ", ")) was not found. Searched:
                \(searched.map { "  \($0)" }.joined(separator: "\n"))
                Install the release as a whole, or name a folder that has all three by the key resources of the configuration, or by \
                `onward dev --resources`.
                """
            }
        }
    }

    private static func resolved(_ folder: String) -> String {
        URL(filePath: folder).resolvingSymlinksInPath().path(percentEncoded: false).trimmingSuffix("/")
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

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
    /// The folder of the projects' mail templates.
    public static func folder(in resources: Resources) -> String { resources.path("Config/templates/mails/projects") }

    /// Reads the templates of the projects; the error has all problems in them.
    public init(resources: Resources, views: Views) throws(InvalidConfiguration) {
        do throws(InvalidTemplates) { try self.init(folder: Self.folder(in: resources), views: views) } catch {
            throw InvalidConfiguration(
                problems: error.problems.map { Problem(file: $0.file, line: $0.line, column: $0.column, key: nil, sentence: $0.sentence) })
        }
    }
}
