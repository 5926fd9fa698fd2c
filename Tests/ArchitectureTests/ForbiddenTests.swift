import Foundation
import Testing

/// Constructs and names that must not come back.
@Suite struct `The sources` {
    static let forbidden: [(name: String, pattern: String, exceptIn: String)] = [
        (
            "a trap that input could reach", #"\btry!|\bfatalError\(|\bpreconditionFailure\(|\bas! "#,
            "Sources/(Configuration|Server|CommandLine)/"
        ),
        (
            "sendability by promise, or a lock", #"@unchecked Sendable|NSLock|\bMutex<|pthread_mutex"#,
            "Sources/(Base/State|Network/Queues)/"
        ),
        ("Foundation's URL parser, which must not decide", #"\bURL\(string:|URLComponents\("#, "-"),
        ("something left for later", #"\bTODO\b|\bFIXME\b|\bXXX\b"#, "-"),
        ("an empty catch", #"catch *\{ *\}"#, "-"),
        ("a name that says nothing", #"\b(struct|class|enum|actor|protocol) \w*(Manager|Helper|Util|Impl|DTO)\b"#, "-"),
        ("compression beside a secret (X6)", #"import CZlib|Gzip\.|\[\.contentEncoding\] ="#, "Sources/Web/PublicFiles/"),
        // A closure with a list of captures leaves the loop that calls it, in Swift 6.3: two hops
        // for each request.
        ("a request handler that hops", #"(HTTPServer\([^{]*|(AcceptedRequest|\.body\(atMost)[^{\n]*)\{\s*\["#, "-"),
        // It comes back by way of Swift's pool: a quarter of an apply. `suspended` comes back at
        // once.
        ("a continuation that hops", #"withCheckedContinuation"#, "Sources/Network/Queues/"),
        ("an identity that no provider vouched for", #"\bVerifiedIdentity\("#, "Sources/Remote/Providers/"),
        ("unchecked arithmetic", #"-Ounchecked"#, "-"),
    ]

    @Test(arguments: forbidden.indices)
    func `contain nothing forbidden`(_ index: Int) throws {
        let rule = Self.forbidden[index]
        let (pattern, except) = (try Regex(rule.pattern), try Regex(rule.exceptIn))
        for file in try Source.all(in: "Sources") where file.path.prefixMatch(of: except) == nil {
            #expect(!file.text.contains(pattern), "\(rule.name) in \(file.path)")
        }
    }

    /// Words of a private language that this project once had, with the file names that they had.
    static let formerNames = [
        "Afterwards", "Answer", "Answers", "Blanks", "Crew", "Current", "Desk", "Door", "Doors", "Doorway", "Edition", "Farewell", "Ferry",
        "Frame", "Furnishing", "Giving", "Ground", "Grounds", "Line", "Memory", "Passenger", "Places", "Platform", "Post", "Quay",
        "Stencil", "TakingOver", "Tally", "Troubles", "TurnedAway",
    ]

    @Test func `use the words of the field`() throws {
        let names = Self.formerNames.joined(separator: "|")
        let declaration = try Regex(#"\b(?:struct|class|enum|actor|protocol|typealias) (?:\#(names))\b"#)
        let file = try Regex(#"^(?:\#(names))(?:Tests)?$"#)
        for source in try Source.all(in: "Sources") + Source.all(in: "Tests") {
            #expect(source.name.wholeMatch(of: file) == nil, "\(source.path)")
            #expect(source.name == "ForbiddenTests" || !source.text.contains("hasCompany"), "\(source.path)")
            if let match = source.text.firstMatch(of: declaration) { Issue.record("\(source.path): \(source.text[match.range])") }
        }
    }

    /// SQLite alone writes its files and its shared memory.
    @Test func `leave SQLite's files to SQLite`() throws {
        let pattern = #/\b(?:xSync|xShmMap|xShmLock|xWrite|sync_file_range)\b/#
        for source in try Source.all(in: "Sources") {
            #expect(!source.text.contains(pattern), "\(source.path)")
        }
    }
}
