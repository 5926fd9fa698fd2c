import Foundation
import Testing

/// Which target may import what, and how files are cut.
@Suite struct `Architecture` {
    /// The targets, C libraries and packages that each target declares in `Package.swift`.
    static let walls: [String: Set<String>] = {
        let manifest = String(
            decoding: FileManager.default.contents(atPath: Source.root.appending(path: "Package.swift").path) ?? Data(), as: UTF8.self)
        let products = Dictionary(
            uniqueKeysWithValues: manifest.matches(of: #/let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/#).map {
                (String($0.1), String($0.2))
            })
        let targets = manifest.matches(of: #/(?:library\(|executableTarget\(\s*name: )\s*"(\w+)",\s*(?:dependencies: )?\[([^\]]*)\]/#)
        return Dictionary(
            uniqueKeysWithValues: targets.map { target in
                (String(target.1), Set(target.2.matches(of: #/\w+/#).map { products[String($0.0)] ?? String($0.0) }))
            })
    }()
    static let always: Set<String> = ["Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization"]

    /// No target declares what it does not import, so the table says what a change may affect.
    @Test(arguments: walls.keys.sorted())
    func `a target imports what the manifest declares for it, and nothing else`(_ target: String) throws {
        let declared = try #require(Self.walls[target])
        var imported: Set<String> = []
        for file in try Source.all(in: "Sources/\(target)") {
            for module in file.text.matches(
                of: #/(?m)^(?:@\w+ )?(?:(?:package|internal|private|public) )?import (?:struct |class |enum |func )?(\w+)/#)
            {
                imported.insert(String(module.1))
                #expect(declared.union(Self.always).contains(String(module.1)), "\(file.path) imports \(module.1)")
            }
        }
        #expect(declared.subtracting(imported) == [], "\(target) does not import these")
    }

    /// The table of `Docs/internal/Architecture.md`.
    @Test func `the table of targets in the documents agrees with the manifest`() throws {
        let text = try #require(Source.all(in: "Docs/internal/Architecture.md", endings: ["md"]).first).text
        var rows: [String: Set<String>] = [:]
        for row in text.matches(of: #/(?m)^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|$/#) {
            rows[String(row.1)] = Set((row.2 + "," + row.3).matches(of: #/\w+/#).map { String($0.0) })
        }
        #expect(rows == Self.walls)
    }

    @Test func `has no targets but these`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Source.root.appending(path: "Sources").path)
        let libraries = [
            "CCrypt", "CCurl", "CEpoll", "CIDN2", "COpenSSL", "CPSL", "CPostgreSQL", "CQRencode", "CResolv", "CSQLite", "CTimex", "CZlib",
        ]
        #expect(Set(folders) == Set(Self.walls.keys).union(libraries))
        #expect(Self.walls.count <= 17)
    }

    @Test func `has no file of more than 400 lines`() throws {
        for file in try Source.all(in: "Sources") + Source.all(in: "Tests") {
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(file.path)")
        }
    }

    /// A port to another system changes one file of each target; `Network` has two, the poller and
    /// the sockets of SMTP.
    @Test func `calls the system from one file of each target`() throws {
        for target in Self.walls.keys {
            let files = try Source.all(in: "Sources/\(target)").filter { $0.text.contains(#/(?m)^(\w+ )?import (Glibc|CEpoll)$/#) }
            #expect(files.count <= (target == "Network" ? 2 : 1), "\(files.map(\.path))")
        }
    }

    /// Everything else takes the time, random bytes and the environment as parameters, so that
    /// tests can give them.
    @Test func `asks the system for time and random bytes where a process is put together`() throws {
        for file in try Source.all(in: "Sources") where !["Configuration", "Server", "CommandLine"].contains(file.target) {
            #expect(!file.text.contains(#/\bSystem\.(now|random|environment)\b/#), "\(file.path)")
        }
    }

    /// The files that share changing state between threads, each a value behind one `Locked`.
    static let lockOwners: Set = [
        "Accounts/AccountChanges", "Accounts/CurrentProjects", "Accounts/Limits", "Accounts/RowIDs", "Accounts/ShortLinkCounter",
        "HTTPServer/HeldResponse", "Mail/MailDeliverer", "Mail/MailWakes", "Mail/SMTPRelay", "Mail/SMTPRelayCheck", "Mail/SNSCertificates",
        "Server/CountedWarning",
        "Server/ClockWatch", "Server/EventSender", "Server/Installation", "Server/LogWriter", "Server/MetricsRegistry",
        "PostgreSQL/ConnectionPool", "PostgreSQL/ReplicaReads",
        "Remote/IdentityToolkitClient", "Remote/KeyHealth", "Remote/OpenIDIssuers", "Remote/Upstreams", "SQLite/Checkpointer",
        "SQLite/SyncFailures", "SQLite/Writer", "Store/AccountAnnouncer", "Store/DatabaseClock", "Store/Store", "Views/Language",
        "Web/AccountWatch",
    ]

    @Test func `locks only where it is listed`() throws {
        let users = try Source.all(in: "Sources").filter { !["Base", "Network"].contains($0.target) && $0.text.contains(#/\bLocked[<(]/#) }
        #expect(Set(users.map { "\($0.target)/\($0.name)" }) == Self.lockOwners)
    }

    /// One clock for intervals and deadlines. systemd's protocol demands the system's own reading.
    @Test func `reads the monotonic clock in one file`() throws {
        let readers = try Source.all(in: "Sources").filter {
            $0.name != "SystemdNotifier" && $0.text.contains(#/ContinuousClock|SuspendingClock|CLOCK_MONOTONIC|DispatchTime|systemUptime/#)
        }
        #expect(readers.map(\.path) == ["Sources/Base/Time/Uptime.swift"])
    }

    /// The compiler specialises and inlines no `package` declaration for another target (decision
    /// 50).
    @Test func `declares what other targets use as public`() throws {
        for file in try Source.all(in: "Sources") {
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
