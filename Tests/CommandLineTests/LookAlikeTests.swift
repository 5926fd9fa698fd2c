import Accounts
import ConfigurationSamples
import Testing
import World
@testable import CommandLine
@testable import Configuration

@Suite struct `A host that looks like an authorised one` {
    @Test(arguments: [
        ("example.com.evil.com", LookAlike.Kind.contains), ("www-example.com.evil.com", .contains), ("examp1e.com", .resembles),
        ("exarnple.com", .resembles), ("exmple.com", .resembles), ("login.examplee.com", .resembles),
        // exаmple.com with a Cyrillic а, and exämple.com.
        ("xn--exmple-4nf.com", .resembles), ("xn--exmple-cua.com", .resembles),
    ])
    func `is recognised`(host: String, kind: LookAlike.Kind) throws {
        let found = try #require(LookAlike(host, of: ["other.org", "example.com"]))
        #expect(found.kind == kind && found.original == "example.com")
        #expect(found.sentence(for: host).contains(host) && found.sentence(for: host).contains("example.com"))
    }

    @Test(arguments: ["example.org", "app.example.com", "com", "different.com", "localhost", "127.0.0.1"])
    func `is not any other host`(host: String) { #expect(LookAlike(host, of: ["example.com", "localhost"]) == nil) }

    @Test func `is warned of instead of being offered as an entry`() throws {
        let project = try #require(try Configuration(sample: Configuration.sampleYAML).projects.first)
        let text = ExplainURL.text(of: project.authorizedDomains.explain("https://one.example.com.evil.test/"), in: project)
        #expect(text.contains("one.example.com.evil.test contains one.example.com but is no part of it"))
        #expect(!text.contains("add to"))
    }
}
