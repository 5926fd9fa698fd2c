import CCurl
import Glibc
import Testing

/// I13: where a server that an admin named may be.
@Suite struct `A public address` {
    private func isPublic(_ text: String) throws -> Bool {
        let family = text.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: 16)
        let found = inet_pton(family, text, &bytes)
        try #require(found == 1, "\(text) is not an address")
        return onward_is_public(family, bytes)
    }

    /// The addresses beside the networks that are not public, and IPv4 in the two forms of IPv6
    /// that stand for it.
    @Test(arguments: [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
        "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
        "198.20.0.0", "223.255.255.255", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111",
    ])
    func `is one of the internet`(_ address: String) throws {
        #expect(try isPublic(address))
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255",
        "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.168.0.0", "192.168.255.255",
        "198.18.0.0", "198.19.255.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:10.0.0.5", "::ffff:127.0.0.1", "64:ff9b::10.0.0.5", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
        "100::1", "2001::1", "2002:7f00:1::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
    ])
    func `is not one of a machine, a private network or a group`(_ address: String) throws {
        #expect(try !isPublic(address))
    }
}
