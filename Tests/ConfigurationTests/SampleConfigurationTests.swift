import Accounts
import ConfigurationSamples
import Foundation
import Testing
import Web
import World
@testable import Configuration

@Suite struct `The sample configuration` {
    let sample: String

    init() throws {
        sample = try String(contentsOfFile: Repository.root + "Config/onward.yaml", encoding: .utf8)
    }

    private func read(_ yaml: String) throws -> Configuration {
        try Configuration(alone: yaml)
    }

    /// The sample with every `#key:` line and its indented lines enabled.
    private var spelledOut: String {
        sample.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }
            let rest = line.dropFirst(indent.count)
            guard rest.hasPrefix("#"), rest.dropFirst().first != " " || rest.hasPrefix("#  ") else { return String(line) }
            return String(indent + rest.dropFirst())
        }.joined(separator: "\n")
    }

    @Test func `is valid as it is`() throws { _ = try read(sample) }

    @Test func `states every default correctly`() throws {
        var (quiet, loud) = (String(), String())
        dump(try read(sample), to: &quiet)
        dump(try read(spelledOut), to: &loud)
        #expect(spelledOut != sample)
        // By line and sorted, because dictionaries come in any order.
        #expect(quiet.split(separator: "\n").sorted() == loud.split(separator: "\n").sorted())
    }

    @Test func `contains every key`() {
        let names = Set(Self.keys.map(\.key.name))
        #expect(names.count > 100)
        #expect(names.subtracting(sample.matches(of: #/(\w+):/#).map { String($0.1) }) == [])
    }

    /// The keys of the file with their paths, such as `mail.relays.url`.
    private static var keys: [(path: String, key: KeyDescription)] {
        paths(Configuration.keys.map { $0.description(defaults: Configuration()) })
    }

    private static func paths(_ keys: [KeyDescription], at path: String = "") -> [(path: String, key: KeyDescription)] {
        keys.flatMap { [(path + $0.name, $0)] + paths($0.members, at: "\(path)\($0.name).") }
    }

    @Test func `explains every key, or the section that it is in`() {
        let explained = Set(Self.keys.filter { !$0.key.text.isEmpty }.map(\.path))
        #expect(explained.contains("mail.relays.pinnedKey") && explained.contains("database.maxConnections"))
        for (path, _) in Self.keys {
            let steps = path.split(separator: ".")
            #expect((1...steps.count).contains { explained.contains(steps.prefix($0).joined(separator: ".")) }, "\(path)")
        }
    }

    @Test func `the section abuseLimits has a key for every limit`() {
        #expect(AbuseLimitsSection.keys.map(\.name) == Limit.allCases.map(\.rawValue))
    }
}
