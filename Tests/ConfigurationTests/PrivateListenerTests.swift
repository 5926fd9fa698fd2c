import Accounts
import AppLinks
import Base
import ConfigurationSamples
import Foundation
import HTTPServer
import Testing
import Web
import World
@testable import Configuration

@Suite struct `A listener of one's own network` {
    /// Clients of the former have admin access, and the console is for support.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.1", true), ("10.1.2.3", true), ("172.16.0.1", true), ("172.31.255.1", true), ("192.168.1.1", true),
        ("100.64.0.1", true), ("[::1]", true), ("[fd12::1]", true), ("0.0.0.0", false), ("[::]", false),
        ("8.8.8.8", false), ("172.15.0.1", false), ("172.32.0.1", false), ("100.128.0.1", false), ("169.254.0.1", false),
        ("[fe80::1]", false), ("[2001:db8::1]", false), ("192.169.0.1", false),
        ("11.0.0.1", false),
    ])
    func `the listeners for admins and for the console have loopback or private addresses`(host: String, isFine: Bool) throws {
        for (key, said) in [
            ("adminListen", "this address gives admin access"), ("consoleListen", "the console is for people of your own network"),
        ] {
            let yaml = Configuration.sampleYAML + "\n\(key): [\"\(host):9099\"]"
            if isFine {
                let configuration = try Configuration(sample: yaml)
                #expect((configuration.adminListen + configuration.consoleListen).count == 1)
            } else {
                let error = #expect(throws: InvalidConfiguration.self) { _ = try Configuration(sample: yaml) }
                #expect(error?.description.contains("\(said), so it must be loopback or private") == true)
            }
        }
    }

    @Test(arguments: [
        ("consoleListen: [\"127.0.0.1:8080\"]", "listen"),
        ("adminListen: [\"127.0.0.1:9099\"]\nconsoleListen: [\"[::1]:9099\"]", "adminListen"),
    ])
    func `the listeners for admins and for the console share their port with no other`(keys: String, other: String) throws {
        let error = #expect(throws: InvalidConfiguration.self) { _ = try Configuration(sample: Configuration.sampleYAML + "\n" + keys) }
        #expect(error?.description.contains("is used by \(other); expected a separate port") == true)
        _ = try Configuration(sample: Configuration.sampleYAML + "\nconsoleListen: [\"127.0.0.1:8081\", \"[::1]:8081\"]")
    }
}
