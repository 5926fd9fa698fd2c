import Foundation
import Testing

/// The rules of the house that a reader of the sources can check.
@Suite struct `The house` {
    /// Which target may import which of ours and which C library or package. Foundation, Glibc and the standard library's own modules
    /// are everyone's.
    static let walls: [String: Set<String>] = [
        "Queues": ["CEpoll"],
        "JSON": [],
        "HTTPServer": ["Queues", "COpenSSL", "HTTPTypes", "Logging", "Metrics"],
        "WebURL": ["CIDN2", "CPSL"],
        "AppLinks": ["JSON", "WebURL"],
        "Accounts": ["Queues", "CCrypt", "Crypto", "CryptoExtras", "SwiftASN1", "X509"],
        "EmailActions": ["Accounts", "AppLinks", "JSON", "Queues", "WebURL", "Crypto"],
        "Store": ["Accounts", "EmailActions"],
        "SQLite": ["Accounts", "CSQLite", "Queues", "Store"],
        "Upstream": ["Accounts", "EmailActions", "JSON", "Queues", "WebURL", "CCurl", "Logging"],
        "Views": ["Queues", "Mustache"],
        "Web": ["Accounts", "AppLinks", "EmailActions", "JSON", "Queues", "Views", "WebURL", "CZlib", "HTTPTypes", "Logging", "Metrics"],
        "Onward": [
            "Queues", "HTTPServer", "JSON", "WebURL", "AppLinks", "Accounts", "EmailActions", "Store", "SQLite", "Upstream", "Views", "Web",
            "ArgumentParser", "Yams", "HTTPTypes", "Logging", "Metrics",
        ],
    ]
    static let everyones: Set<String> = ["Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization"]

    @Test(arguments: walls.keys.sorted())
    func `keeps its walls`(_ target: String) throws {
        let allowed = try #require(Self.walls[target]).union(Self.everyones)
        for file in try Source.all(in: "Sources/\(target)") {
            for module in file.text.matches(
                of: #/(?m)^(?:@\w+ )?(?:(?:package|internal|private|public) )?import (?:struct |class |enum |func )?(\w+)/#)
            {
                #expect(allowed.contains(String(module.1)), "\(file.path) imports \(module.1)")
            }
        }
    }

    @Test func `has no rooms but these`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Source.root.appending(path: "Sources").path)
        let systems = ["CCrypt", "CCurl", "CEpoll", "CIDN2", "COpenSSL", "CPSL", "CSQLite", "CZlib"]
        #expect(Set(folders) == Set(Self.walls.keys).union(systems))
    }

    @Test func `keeps its files short`() throws {
        for file in try Source.all(in: "Sources") + Source.all(in: "Tests") {
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(file.path)")
        }
    }

    static let forbidden: [(name: String, pattern: String, exceptIn: String)] = [
        ("a trap that input could reach", #"\btry!|\bfatalError\(|\bpreconditionFailure\(|\bas! "#, "Sources/Onward/"),
        ("sendability by promise, or a lock", #"@unchecked Sendable|NSLock|\bMutex<|pthread_mutex"#, "Sources/Queues/"),
        ("Foundation's URL parser, which must not decide", #"\bURL\(string:|URLComponents\("#, "-"),
        ("something left for later", #"\bTODO\b|\bFIXME\b|\bXXX\b"#, "-"),
        ("an empty catch", #"catch *\{ *\}"#, "-"),
        ("a name that says nothing", #"\b(struct|class|enum|actor|protocol) \w*(Manager|Helper|Util|Impl|DTO)\b"#, "-"),
        ("compression beside a secret (X6)", #"import CZlib|Gzip\.|\[\.contentEncoding\] ="#, "Sources/Web/PublicFiles/"),
        // A closure with a list of captures leaves the loop that calls it, in Swift 6.3: two hops for each request.
        ("a doorway that hops", #"HTTPServer\([^{]*\{\s*\["#, "-"),
        // It comes back by way of Swift's pool: a quarter of an apply. `suspended` comes back at once.
        ("a continuation that hops", #"withCheckedContinuation"#, "Sources/Queues/"),
        ("unchecked arithmetic", #"-Ounchecked"#, "-"),
    ]

    @Test(arguments: forbidden.indices)
    func `holds nothing forbidden`(_ index: Int) throws {
        let rule = Self.forbidden[index]
        let pattern = try Regex(rule.pattern)
        for file in try Source.all(in: "Sources") where !file.path.hasPrefix(rule.exceptIn) {
            #expect(!file.text.contains(pattern), "\(rule.name) in \(file.path)")
        }
    }

    /// Platform code of a target stays in one file, so that another system is a small step.
    @Test func `keeps the platform in one file per target`() throws {
        for target in Self.walls.keys {
            let files = try Source.all(in: "Sources/\(target)").filter { $0.text.contains(#/(?m)^(\w+ )?import (Glibc|CEpoll)$/#) }
            #expect(files.count <= 1, "\(files.map(\.path))")
        }
    }

    /// Q5: each numbered requirement that this tree says it holds is cited by a test.
    @Test func `cites each requirement that it holds`() throws {
        let cited = try Source.all(in: "Tests").reduce(into: Set()) { $0.formUnion(Requirement.numbers(in: $1.text)) }
        let held = try Requirement.all().filter { $0.state == "held" }.flatMap(\.numbers)
        #expect(!held.isEmpty)
        #expect(Set(held).subtracting(cited).sorted() == [], "said to be held, but no test cites them")
    }

    @Test func `says of each requirement whether it holds it, or why not`() throws {
        let rows = try Requirement.all()
        #expect(Dictionary(grouping: rows.flatMap(\.numbers), by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [], "listed twice")
        #expect(try Requirement.wanted().subtracting(rows.flatMap(\.numbers)).sorted() == [], "not listed")
        for row in rows {
            #expect(["held", "partly", "later"].contains(row.state), "\(row)")
            #expect(row.state == "held" || !row.reason.isEmpty, "\(row)")
        }
    }
}

/// A line of the table in `Docs/ThreatModel.md`.
struct Requirement {
    let numbers: [String]
    let state: Substring
    let reason: Substring

    static func all() throws -> [Requirement] {
        try document().matches(of: #/(?m)^\| ([A-Z]\d[^|]*) \| (\w+) \| ?(.*?) ?\|$/#).map {
            Requirement(numbers: numbers(in: $0.1), state: $0.2, reason: $0.3)
        }
    }

    /// All that the document says there are.
    static func wanted() throws -> Set<String> {
        let sentence = try document().firstMatch(of: #/All there are: ([^.]*)\./#)
        return Set(numbers(in: try #require(sentence).1))
    }

    private static func document() throws -> String {
        try String(contentsOf: Source.root.appending(path: "Docs/ThreatModel.md"), encoding: .utf8)
    }

    /// `A2-A4, A7` are four.
    static func numbers(in text: some StringProtocol & BidirectionalCollection<Character>) -> [String] {
        String(text).matches(of: #/\b([A-Z])(\d{1,2})(?:-([A-Z])(\d{1,2}))?\b/#).flatMap { match -> [String] in
            guard let first = Int(match.2), let last = Int(match.4 ?? match.2), match.3 ?? match.1 == match.1, first <= last else {
                return []
            }
            return (first...last).map { "\(match.1)\($0)" }
        }
    }
}

struct Source {
    /// From the root of the tree.
    let path: String
    let text: String

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    static func all(in folder: String) throws -> [Source] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String } ?? []
        return try found.filter { $0.hasSuffix(".swift") }.map {
            Source(path: "\(folder)/\($0)", text: try String(contentsOf: root.appending(path: "\(folder)/\($0)"), encoding: .utf8))
        }
    }
}
