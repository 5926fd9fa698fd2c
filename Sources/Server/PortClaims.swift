import Configuration
import Foundation
import HTTPServer

/// The addresses that this process listens on, claimed so that no process with another database
/// shares them (V9).
///
/// Listening sockets use SO_REUSEPORT, so that a new process can take over from an old one (Z8);
/// the kernel spreads connections over both. A claim is a socket in the abstract namespace, whose
/// name other processes read in /proc/net/unix. It ends with the process at the latest.
struct PortClaims {
    private var descriptors: [Int32] = []
    /// The processes with the same database that listen on one of the addresses, too.
    private(set) var sharing: Set<String> = []

    /// Another process listens on an address, with another database.
    struct Conflict: Error, CustomStringConvertible {
        let address: ListenAddress
        let process: String

        var description: String {
            """
            \(address) is in use by another Onward (process \(process)), which has another database. Stop it, or listen on another \
            port: processes that share a port must share the database.
            """
        }
    }

    /// - Parameter database: the database, which exists.
    init(_ addresses: [ListenAddress], database: DatabaseSetting) throws(Conflict) {
        guard let identity = database.identity else { return }
        // A port that the system chooses is free.
        for address in addresses where address.port != 0 {
            let prefix = "onward/\(address)/"
            if let descriptor = Self.claim("\(prefix)\(identity)/\(getpid())") { descriptors.append(descriptor) }
            let claims = Self.claims(beginningWith: prefix)
            let own = "\(identity)/"
            sharing.formUnion(claims.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count)) }.filter { $0 != "\(getpid())" })
            guard let other = claims.first(where: { !$0.hasPrefix(own) }) else { continue }
            release()
            throw Conflict(address: address, process: String(other.drop { $0 != "/" }.dropFirst()))
        }
    }

    func release() { for descriptor in descriptors { close(descriptor) } }

    /// Binds a socket to a name; nil if that is impossible, as in a sandbox without such sockets.
    private static func claim(_ name: String) -> Int32? {
        let bytes = [0] + Array(name.utf8)
        var address = sockaddr_un()
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        if isBound { return descriptor }
        close(descriptor)
        return nil
    }

    /// The rest of the name of every claim with this beginning, of all processes.
    private static func claims(beginningWith prefix: String) -> [String] {
        guard let file = FileHandle(forReadingAtPath: "/proc/net/unix") else { return [] }
        var table = Data()
        // The kernel returns a page at a time and no length.
        while let page = try? file.read(upToCount: 1 << 16), !page.isEmpty { table += page }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.split(separator: " ").last.flatMap { $0.hasPrefix("@" + prefix) ? String($0.dropFirst(prefix.count + 1)) : nil }
        }
    }
}
