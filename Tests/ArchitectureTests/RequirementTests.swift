import Foundation
import Testing

/// Q5: what `Docs/internal/Requirements.md` says of the safety requirements.
@Suite struct `The table of requirements` {
    @Test func `has one row for each number`() throws {
        let rows = try Requirement.all()
        let numbers = Dictionary(grouping: rows.flatMap(\.numbers), by: \.self)
        #expect(numbers.filter { $0.value.count > 1 }.keys.sorted() == [], "listed twice")
        #expect(try Requirement.expected().subtracting(numbers.keys).sorted() == [], "not listed")
        for row in rows {
            #expect(["held", "partly", "later"].contains(row.state), "\(row)")
            #expect(!row.requirement.isEmpty && !row.place.isEmpty, "\(row)")
        }
    }

    @Test func `lists as held only what a test cites`() throws {
        let cited = try Source.all(in: "Tests").reduce(into: Set()) { $0.formUnion(Requirement.numbers(in: $1.text)) }
        let held = try Requirement.all().filter { $0.state == "held" }.flatMap(\.numbers)
        #expect(!held.isEmpty)
        #expect(Set(held).subtracting(cited).sorted() == [], "said to be held, but no test cites them")
    }

    @Test func `names tests that exist and cite the number`() throws {
        for row in try Requirement.all() {
            for test in row.place.matches(of: #/`(?!Tests)(\w+Tests/[\w/+]+)`/#) {
                let text = try? String(contentsOf: Source.root.appending(path: "Tests/\(test.1).swift"), encoding: .utf8)
                #expect(Set(row.numbers).isSubset(of: Requirement.numbers(in: text ?? "")), "\(row.numbers): \(test.1)")
            }
        }
    }
}

/// A row of the tables in `Docs/internal/Requirements.md`.
struct Requirement {
    let numbers: [String]
    let requirement: Substring
    let state: Substring
    /// The source and the tests that hold the requirement, or what it waits for.
    let place: Substring

    static func all() throws -> [Requirement] {
        try document().matches(of: #/(?m)^\| ([A-Z]\d[^|]*) \| (.*?) \| (\w+) \| ?(.*?) ?\|$/#).map {
            Requirement(numbers: numbers(in: $0.1), requirement: $0.2, state: $0.3, place: $0.4)
        }
    }

    /// All numbers that the document says there are.
    static func expected() throws -> Set<String> {
        let sentence = try document().firstMatch(of: #/All there are: ([^.]*)\./#)
        return Set(numbers(in: try #require(sentence).1))
    }

    private static func document() throws -> String {
        try String(contentsOf: Source.root.appending(path: "Docs/internal/Requirements.md"), encoding: .utf8)
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
