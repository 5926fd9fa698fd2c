import Foundation

/// A socket that listens on this machine, as systemd opens it and hands it to a program.
package struct ListeningSocket: Sendable {
    package let descriptor: Int32
    /// Chosen by the system.
    package let port: UInt16

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &name) { [descriptor] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4_096) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw Program.Missing(description: "no listening socket: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: name.sin_port)
    }
}
