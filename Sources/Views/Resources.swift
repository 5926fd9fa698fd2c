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

    /// The files with an ending anywhere below a folder, as paths from there.
    func files(below folder: String, ending: String) -> (ofRelease: Set<String>, own: Set<String>) {
        func files(in root: String?) -> Set<String> {
            let all = root.flatMap { FileManager.default.enumerator(atPath: "\($0)/\(folder)") }?.compactMap { $0 as? String } ?? []
            return Set(all.filter { $0.hasSuffix(ending) })
        }
        return (files(in: release), files(in: own))
    }
}
