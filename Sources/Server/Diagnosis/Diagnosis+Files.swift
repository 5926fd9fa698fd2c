public import Accounts
import Base
import Foundation
import Views

extension Diagnosis {
    /// The space beside a database file.
    public init(diskOf database: String) {
        let folder = URL(filePath: database).deletingLastPathComponent().path(percentEncoded: false)
        guard let space = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let free = space[.systemFreeSize] as? Int64, let size = space[.systemSize] as? Int64
        else {
            self = .error("disk of \(folder)", "the folder cannot be read", "Create it, unless systemd does (StateDirectory).")
            return
        }
        self.init(diskOf: folder, free: free, size: size)
    }

    public init(diskOf folder: String, free: Int64, size: Int64) {
        let says = "\(free >> 20) MB of \(size >> 20) MB are free"
        // A full disk stops every link. A backup beside the database needs as much as it has.
        self =
            switch free {
            case ..<(200 << 20): .error("disk of \(folder)", says, "Make room at once: without space no link can be applied.")
            case ..<(1 << 30): .warning("disk of \(folder)", says, "Make room: the database, its log and a backup need it.")
            default: .ok("disk of \(folder)", says)
            }
    }
}

extension LoadedResources {
    /// The operator's own words and templates that have no effect, as after an upgrade.
    public var diagnoses: [Diagnosis] {
        let remedy = "Compare the file with those of the release, in \(resources.release)/Config."
        return remarks.map { .warning("own words and looks", $0, remedy) }
    }
}
