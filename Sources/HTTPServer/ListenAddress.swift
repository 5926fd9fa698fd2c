/// A numeric address and a port to listen on.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 literal, the latter without brackets.
    public let host: String
    /// The TCP port; 0 lets the system choose one.
    public let port: UInt16
    /// A socket that already listens there, which other processes may hold too; nil: one is opened.
    let descriptor: Int32?

    public init(host: String, port: UInt16) { self.init(host: host, port: port, descriptor: nil) }

    init(host: String, port: UInt16, descriptor: Int32?) {
        self.host = host
        self.port = port
        self.descriptor = descriptor
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The error thrown by `HTTPServer.start` when an address cannot be listened on.
public struct ListenError: Error, CustomStringConvertible {
    public let address: ListenAddress
    /// The system's error message, with what to do, or that the host is not a numeric address.
    public let cause: String

    public var description: String { "cannot listen on \(address): \(cause)" }
}
