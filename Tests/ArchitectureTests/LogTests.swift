import Foundation
import Testing

/// O2: the lines that requests can cause. `WebTests` looks at lines; this looks at the code of all.
@Suite struct `The log` {
    /// Values that the code of requests may put into a line as they are: ids, configured names,
    /// closed sets and causes from below. Text that a client chose is not among them: it goes
    /// through `with(client:)`, which marks and bounds it. Look at a new value before it is added.
    static let values: Set = [
        "request.id", "context.request.id", "request.peer", "context.request.peer", "request.head.method.rawValue",
        "action.rawValue", "method.name", "project.id", "caller.project.id", "$0.loggable", "AccountID(rawValue: id).loggable",
        "question.name", "sign.rawValue", "refusal.rawValue", "$0.rawValue", "$0", "down.part.rawValue", "down.cause", "error.cause",
        // Why a form was refused: a constant.
        "reason",
        // Reports of mail providers: the address that Amazon SNS signed, the project of a report
        // that was proved, and constants.
        "request.provider.rawValue", "request.project", "provider.rawValue", "project", "cause", "url",
    ]

    private func sources() throws -> [Source] {
        try ["Sources/Web", "Sources/HTTPServer", "Sources/Mail/Feedback"].flatMap { try Source.all(in: $0) }.filter {
            $0.text.contains("import Logging") && $0.name != "ClientText"
        }
    }

    @Test func `has only known values, beside marked text of clients`() throws {
        var used: Set<String> = []
        for source in try sources() {
            for match in source.text.matches(of: #/(?:"\w+": |metadata\["\w+"\] = .*)"\\\((.+?)\)"/#) { used.insert(String(match.1)) }
            #expect(!source.text.contains("\"client\""), "\(source.path): `with(client:)` adds it")
        }
        #expect(used.subtracting(Self.values).sorted() == [], "may a client have chosen it?")
        #expect(Self.values.subtracting(used).sorted() == [], "not used")
    }

    /// The words before the first comma are enough.
    @Test func `is explained to operators from warnings on`() throws {
        let manual = try String(contentsOf: Source.root.appending(path: "Docs/Monitoring.md"), encoding: .utf8)
        let line = #/(?:log(?:ger)?\.(?:warning|error|critical)\(|failureMessage:(?: Logger\.Message =)?)\s*"([^",;]+)/#
        let messages = try Set(Source.all(in: "Sources").flatMap { $0.text.matches(of: line).map { String($0.1) } })
        #expect(messages.count > 40)
        for message in messages { #expect(manual.contains(message), "\(message)") }
    }

    @Test func `has constant messages`() throws {
        for source in try sources() {
            #expect(!source.text.contains(#/logger\.\w+\(\s*(?:"[^"\n]*\\\(|[^"\s])/#), "\(source.path)")
        }
    }
}
