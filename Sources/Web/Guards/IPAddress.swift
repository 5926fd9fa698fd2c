internal import Foundation

/// An IP address as the kernel has it, four bytes or sixteen: what proxies are trusted by and limits count by.
package struct IPAddress: Sendable, Hashable {
    /// In network order.
    package let bytes: [UInt8]
    /// Whether it has sixteen bytes and holds no IPv4 address.
    package var isIPv6: Bool { bytes.count == 16 }
    /// Whether it stays on this machine.
    package var isLoopback: Bool { isIPv6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127 }

    /// Reads a literal as `inet_pton` does, without zone or port; an IPv4 address inside IPv6 becomes the former.
    package init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let all = withUnsafeBytes(of: &v6) { Array($0) }
            let isMapped = all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }
}
