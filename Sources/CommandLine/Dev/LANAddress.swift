import Foundation

/// The address that other machines of the network use to reach this one.
enum LANAddress {
    /// The first IPv4 address of an interface that is up. Nil without a network, and in a
    /// container, whose address only its own machine reaches.
    static func find() -> String? {
        guard !isInContainer else { return nil }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = interface?.pointee, let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                interface.ifa_flags & (Self.up | Self.loopback) == Self.up
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        return nil
    }

    /// `IFF_UP` and `IFF_LOOPBACK`, whose types differ between versions of the C library's headers.
    private static let (up, loopback) = (UInt32(0x1), UInt32(0x8))

    /// Whether Docker or Podman runs this process.
    private static var isInContainer: Bool {
        ["/.dockerenv", "/run/.containerenv"].contains { FileManager.default.fileExists(atPath: $0) }
    }
}
