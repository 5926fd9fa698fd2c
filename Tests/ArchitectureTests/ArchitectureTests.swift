import Foundation
import Testing

/// Which target may import what, and how files are cut.
@Suite struct `Architecture` {
    /// The targets, C libraries and packages that each target may import, besides Foundation, Glibc
    /// and the modules of the standard library.
    static let walls: [String: Set<String>] = [
        "Queues": ["CEpoll"],
        "Curl": ["CCurl", "Queues"],
        "DNS": ["CResolv"],
        "JSON": [],
        "HTTPServer": ["Queues", "COpenSSL", "HTTPTypes", "Logging", "Metrics"],
        "WebURL": ["CIDN2", "CPSL"],
        "AppLinks": ["JSON", "WebURL"],
        "Cryptography": ["CCrypt", "COpenSSL"],
        "Accounts": ["Cryptography", "Queues", "WebURL"],
        "Accounts": ["Accounts", "AppLinks", "JSON", "Queues", "WebURL"],
        "Store": ["Accounts", "Cryptography", "Accounts", "JSON", "Queues"],
        "SQLite": ["Accounts", "CSQLite", "Queues", "Store"],
        "PostgreSQL": ["Accounts", "CPostgreSQL", "Queues", "Store"],
        "Upstream": ["Accounts", "Accounts", "Curl", "JSON", "Queues", "WebURL", "Logging"],
        "Providers": ["Accounts", "Cryptography", "Curl", "JSON", "Queues", "WebURL", "Logging"],
        "Views": ["AppLinks", "JSON", "Queues", "Mustache"],
        "Mail": ["Accounts", "Cryptography", "Curl", "Accounts", "JSON", "Queues", "Views", "WebURL", "Logging", "Metrics"],
        "Web": [
            "Accounts", "AppLinks", "Accounts", "HTTPServer", "JSON", "Queues", "Views", "WebURL", "CQRencode", "CZlib", "HTTPTypes",
            "Logging", "Metrics",
        ],
        "Onward": [
            "CTimex", "Queues", "Curl", "DNS", "HTTPServer", "Cryptography", "JSON", "WebURL", "AppLinks", "Accounts", "Accounts",
            "Mail",
            "Store",
            "PostgreSQL", "Providers", "SQLite", "Upstream", "Views", "Web", "ArgumentParser", "Yams", "HTTPTypes", "Logging", "Metrics",
        ],
    ]
    static let always: Set<String> = ["Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization"]

    @Test(arguments: walls.keys.sorted())
    func `lets a target import only what its row lists`(_ target: String) throws {
        let allowed = try #require(Self.walls[target]).union(Self.always)
        for file in try Source.all(in: "Sources/\(target)") {
            for module in file.text.matches(
                of: #/(?m)^(?:@\w+ )?(?:(?:package|internal|private|public) )?import (?:struct |class |enum |func )?(\w+)/#)
            {
                #expect(allowed.contains(String(module.1)), "\(file.path) imports \(module.1)")
            }
        }
    }

    @Test func `has no targets but these`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Source.root.appending(path: "Sources").path)
        let libraries = [
            "CCrypt", "CCurl", "CEpoll", "CIDN2", "COpenSSL", "CPSL", "CPostgreSQL", "CQRencode", "CResolv", "CSQLite", "CTimex", "CZlib",
        ]
        #expect(Set(folders) == Set(Self.walls.keys).union(libraries))
    }

    @Test func `has no file of more than 400 lines`() throws {
        for file in try Source.all(in: "Sources") + Source.all(in: "Tests") {
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(file.path)")
        }
    }

    /// A port to another system changes one file of each target.
    @Test func `calls the system from one file of each target`() throws {
        for target in Self.walls.keys {
            let files = try Source.all(in: "Sources/\(target)").filter { $0.text.contains(#/(?m)^(\w+ )?import (Glibc|CEpoll)$/#) }
            #expect(files.count <= 1, "\(files.map(\.path))")
        }
    }

    /// The files that share changing state between threads, each a value behind one `Locked`.
    static let lockOwners: Set = [
        "Accounts/HighWaterClock", "Curl/HTTPClient", "Curl/HTTPClients", "Curl/TransferLoop", "Accounts/RowIDs",
        "Accounts/CurrentProjects", "Accounts/RecentAttempts",
        "Accounts/ShortLinkCounter", "Mail/MailDeliverer",
        "Mail/MailWakes", "Mail/SMTPRelay",
        "Mail/SMTPRelayCheck", "Mail/SNSCertificates", "Onward/Installation",
        "Onward/LogWriter",
        "Onward/MetricsRegistry", "Onward/CountedWarning",
        "PostgreSQL/ConnectionPool", "PostgreSQL/ReplicaReads", "Providers/OpenIDIssuers", "SQLite/Checkpointer",
        "SQLite/SyncFailures",
        "SQLite/Writer",
        "Store/DatabaseClock", "Upstream/IdentityToolkitClient", "Upstream/KeyHealth", "Upstream/Upstreams",
        "Web/Limits", "Web/RecentRedirects",
    ]

    @Test func `locks only where it is listed`() throws {
        let users = try Source.all(in: "Sources").filter { $0.target != "Queues" && $0.text.contains(#/\bLocked[<(]/#) }
        #expect(Set(users.map { "\($0.target)/\($0.name)" }) == Self.lockOwners)
    }

    /// The compiler specialises and inlines no `package` declaration for another target (decision
    /// 50). What Onward itself declares is used by no target but its tests.
    @Test func `declares what other targets use as public`() throws {
        for file in try Source.all(in: "Sources") where file.target != "Onward" {
            #expect(!file.text.contains(#/(?m)^ *(?:@\w+ )*package \w/#), "\(file.path)")
        }
    }

    /// A reader must not have to ask which of two is meant: within a target types of different
    /// outer types may be called the same, but none has the name of a type at the top level of any
    /// target.
    @Test func `gives a type a name that no other has`() throws {
        let declaration = #/(?m)^(\s*)(?:[@\w]+(?:\([^)\n]*\))? )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        var (outer, inner): ([String: Set<String>], [(name: String, path: String)]) = ([:], [])
        for file in try Source.all(in: "Sources") {
            for match in file.text.matches(of: declaration) {
                let name = String(match.2)
                if match.1.contains(" ") { inner.append((name, file.path)) } else { outer[name, default: []].insert(file.target) }
            }
        }
        for (name, targets) in outer where targets.count > 1 { Issue.record("\(name) is declared in \(targets.sorted())") }
        for (name, path) in inner where outer[name] != nil { Issue.record("\(path) declares \(name), as \(outer[name] ?? []) does") }
        #expect(outer.count > 300 && inner.count > 100)
    }
}
