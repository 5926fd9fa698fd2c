import Foundation

/// The files that an operator may change, in `Config/templates`, `Config/languages` and `Public`:
/// those of the release, and over them those of a folder of the operator, which holds only what
/// differs.
public struct Resources: Sendable, Hashable {
    /// The folder of the release, which has every file.
    public let release: String
    /// The folder with what differs; nil: nothing does.
    public let own: String?

    public init(release: String, own: String? = nil) { (self.release, self.own) = (release, own) }

    /// The path of a file or folder: the own one, if there is one.
    public func path(_ name: String) -> String { ownPath(name) ?? "\(release)/\(name)" }

    /// The path of a file or folder of the own folder; nil if it is not there.
    func ownPath(_ name: String) -> String? {
        own.map { "\($0)/\(name)" }.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    /// The files with an ending anywhere below a folder, as paths from there. Names that begin with
    /// a dot are left out. Throws if a folder cannot be listed.
    func files(below folder: String, ending: String) throws(ResourceError) -> (ofRelease: Set<String>, own: Set<String>) {
        let start = ownPath(folder)
        return (
            try Self.files(below: "\(release)/\(folder)", ending: ending),
            try start.map { (start) throws(ResourceError) in try Self.files(below: start, ending: ending) } ?? []
        )
    }

    /// Symbolic links are followed, as they are where files are read.
    private static func files(below folder: String, ending: String) throws(ResourceError) -> Set<String> {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw ResourceError(file: folder, problem: "cannot be read")
        }
        var files: Set<String> = []
        for name in names where !name.hasPrefix(".") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            if isFolder.boolValue {
                files.formUnion(try Self.files(below: "\(folder)/\(name)", ending: ending).map { "\(name)/\($0)" })
            } else if name.hasSuffix(ending) {
                files.insert(name)
            }
        }
        return files
    }
}
