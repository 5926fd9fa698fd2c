internal import Base

/// The hosts, beside that of its origin, that a development server answers to, on every port.
///
/// A website can make its own name resolve to the developer's machine (DNS rebinding), and every
/// request to a development server may be an admin's. So only hosts are served that no website can
/// own: addresses, which are not looked up, and names that DNS does not resolve.
public struct DevelopmentHosts: Sendable {
    /// Whether other machines can connect, so that they may use the name of this one.
    private let listensBeyondLoopback: Bool

    public init(listensBeyondLoopback: Bool) { self.listensBeyondLoopback = listensBeyondLoopback }

    /// `localhost`, and the name that containers use for the machine that they run on.
    private static let names: Set<String> = ["localhost", "host.docker.internal"]

    /// - Parameter authority: `host` or `host:port` in lower case.
    func contains(_ authority: String) -> Bool {
        guard authority.utf8.allSatisfy(Self.isPlain), let host = (try? WebURL("http://\(authority)/"))?.host else { return false }
        switch host {
        case .address: return true
        case .domain(let name):
            // The machines of a network find each other by names of multicast DNS.
            return Self.names.contains(name) || listensBeyondLoopback && name.hasSuffix(".local")
        case .opaque: return false
        }
    }

    /// Letters, digits and the marks of names, addresses and ports.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
