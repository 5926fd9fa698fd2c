import Accounts
import Foundation
import Testing
import Web
@testable import Onward

@Suite struct `The sample configuration` {
    let sample: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        sample = try String(contentsOf: root.appending(path: "Config/onward.yaml"), encoding: .utf8)
    }

    private func read(_ yaml: String) throws -> Configuration {
        try ConfigurationReading.read(yaml)
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
        let names = Set(`A generated file`.keys.map(\.key.name))
        #expect(names.count > 100)
        #expect(names.subtracting(sample.matches(of: #/(\w+):/#).map { String($0.1) }) == [])
    }
}

enum ConfigurationReading {
    static func read(_ yaml: String) throws -> Configuration {
        try Configuration(yaml: yaml, file: "onward.yaml", environment: nil)
    }
}
