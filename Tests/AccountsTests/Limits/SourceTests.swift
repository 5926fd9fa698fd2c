import Testing
@testable import Accounts

@Suite struct `A source` {
    /// B6.
    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("192.0.2.1", "192.0.2.2", false),
        ("fe80::1%eth0", "fe80::2%eth1", true), ("::ffff:c000:201", "192.0.2.1", true),
    ])
    func `a source is an IPv4 address or a network of IPv6`(one: String, other: String, same: Bool) {
        #expect((Source(one) == Source(other)) == same)
    }
}
