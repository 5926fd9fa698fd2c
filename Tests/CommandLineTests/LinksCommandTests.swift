import Accounts
import AppLinks
import ArgumentParser
import Base
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

/// The commands with their arguments, on a temporary database.
@Suite struct `Short links` {
    struct Setup: CommandSetup {
        let folder: Folder

        init() throws {
            folder = try Folder()
            try configure(
                projects: """
                    [{id: one, displayName: One, apiKeys: [key-of-one], authorizedDomains: [one.example.com],
                      linkDomains: [links.example.com], shortLinks: {byAPIKey: true, maxByAPIKey: 5},
                      apps: {android: [{packageName: com.example.app}]}}]
                    """)
        }

        /// - Returns: the exit status.
        func run(_ command: any AsyncParsableCommand.Type, _ arguments: String...) async throws -> Int32 {
            try await run(command, arguments)
        }

        func run(_ command: any AsyncParsableCommand.Type, _ arguments: [String]) async throws -> Int32 {
            do {
                guard var parsed = try command.parseAsRoot(arguments + ["--config", file("onward.yaml")]) as? any AsyncParsableCommand
                else { throw CocoaError(.formatting) }
                try await parsed.run()
                return 0
            } catch let code as ExitCode { return code.rawValue }
        }

        func links() async throws -> [ShortLink] {
            try await DatabaseSetting.sqlite(path: file("onward.sqlite")).withStore { try await $0.shortLinks(after: 0, limit: 1_000) }
        }
    }

    static let titles = """
        Short link,Deep link (link),Android package name (apn),Android fallback link (afl),Android minimum package version code (amv),\
        iOS bundle ID (ibi),iOS fallback link (ifl),iOS custom scheme (ius),iOS iPad fallback link (ipfl),iOS iPad bundle ID (ipbi),\
        iOS app store ID (isi),iOS minimum version (imv),Enable forced redirect? (efr),Desktop fallback link (ofl),Social title (st),\
        Social description (sd),Social image link (si),UTM source (utm_source),UTM medium (utm_medium),UTM campaign (utm_campaign),\
        UTM term (utm_term),UTM content (utm_content),iTunes Connect at,iTunes Connect ct,iTunes Connect mt,iTunes Connect pt,Archived?,\
        Link name,Creation timestamp
        """

    /// A row with some of the 29 columns, by their places.
    static func row(_ short: String, _ link: String, _ more: [Int: String] = [:]) -> String {
        (0..<29).map { [0: short, 1: link].merging(more) { $1 }[$0] ?? "" }.joined(separator: ",")
    }

    @Test func `are created, disabled and enabled`() async throws {
        let setup = try Setup()
        try await setup.createDatabase()
        let link = "https://links.example.com/?link=https://one.example.com/x"
        #expect(try await setup.run(LinksCommand.self, "create", link, "--path", "/spring", "--name", "Spring") == 0)
        #expect(try await setup.run(LinksCommand.self, "create", link) == 0)
        #expect(try await setup.run(LinksCommand.self, "create", link.replacing("/?", with: "/share?"), "--short") == 0)
        let links = try await setup.links()
        #expect(links[0].url == "https://links.example.com/spring" && links[0].name == "Spring")
        #expect(links[1].path.utf8.count == 18 && links[2].path.hasPrefix("/share/") && links[2].path.utf8.count == 11)
        #expect(try await setup.run(LinksCommand.self, "disable", links[0].url) == 0)
        #expect(try await setup.links()[0].disabledAt != nil)
        #expect(try await setup.run(LinksCommand.self, "show", links[0].url, "--json") == 0)
        #expect(try await setup.run(LinksCommand.self, "list") == 0)
        #expect(try await setup.run(LinksCommand.self, "enable", links[0].url) == 0)
        #expect(try await setup.links() == links)
        for arguments in [
            ["show", "https://links.example.com/Spring"], ["disable", "spring"],
            ["create", "https://links.example.com/?link=https://evil.example/"], ["create", link, "--path", "/v1/x"],
            ["create", link, "--path", "/spring"], ["create", "https://other.example/?link=https://one.example.com/"],
        ] {
            #expect(try await setup.run(LinksCommand.self, arguments) == 1, "\(arguments)")
        }
        #expect(try await setup.links() == links)
    }

    @Test func `are imported from a file of Google's, once`() async throws {
        let setup = try Setup()
        let rows = [
            "\u{feff}" + Self.titles,
            Self.row(
                "https://links.example.com/aBcD", "https://one.example.com/x?a=1",
                [
                    2: "com.example.app", 4: "7", 12: "true", 14: "\"Sale, \"\"now\"\"\nor never\"", 17: "mail", 26: "TRUE", 27: "Spring",
                    28: "2021-02-03 04:05:06 UTC",
                ]),
            Self.row("https://links.example.com/share/b", "https://one.example.com/", [28: "1612325106000"]),
        ]
        try setup.write(rows.joined(separator: "\r\n") + "\r\n", to: "takeout.csv")
        #expect(try await setup.run(LinksCommand.self, "import", setup.file("takeout.csv")) == 0)
        let links = try await setup.links()
        #expect(links.map(\.path) == ["/aBcD", "/share/b"])
        #expect(
            links[0].link
                == "https://links.example.com/__/auth/links?link=https%3A%2F%2Fone.example.com%2Fx%3Fa%3D1&apn=com.example.app&amv=7&efr=1&st=Sale%2C%20%22now%22%0Aor%20never&utm_source=mail"
        )
        #expect(links[0].name == "Spring" && links[0].disabledAt == nil && links[0].clientNumber == nil)
        #expect(links.map(\.createdAt) == [Timestamp(seconds: 1_612_325_106), Timestamp(seconds: 1_612_325_106)])
        #expect(!setup.exists("takeout.csv.refused.jsonl"))
        #expect(try await setup.run(LinksCommand.self, "import", setup.file("takeout.csv")) == 0)
        #expect(try await setup.links() == links)
    }

    @Test func `that are refused are reported with their lines, and do not affect others`() async throws {
        let setup = try Setup()
        let good = "https://one.example.com/"
        let rows = [
            Self.titles, Self.row("https://links.example.com/a", good), Self.row("https://links.example.com/b", "https://evil.example/"),
            Self.row("https://links.example.com/c", "\"\nhttps://auth.example.com/__/auth/action?oobCode=S3cret\""),
            Self.row("https://links.example.com/__/d", good), Self.row("https://old.page.link/e", good),
            Self.row("https://links.example.com/a", good + "other"), Self.row("https://links.example.com/f", good, [2: "com.evil"]),
            Self.row("nothing", good), Self.row("https://links.example.com/g", good) + ",more",
            Self.row("https://links.example.com/h", good),
        ]
        try setup.write(rows.joined(separator: "\n"), to: "t.csv")
        #expect(try await setup.run(LinksCommand.self, "import", setup.file("t.csv")) == 1)
        #expect(try await setup.links().map(\.path) == ["/a", "/h"])
        let report = try setup.read("t.csv.refused.jsonl")
        #expect(!report.contains("S3cret"))
        let lines = report.split(separator: "\n").compactMap { $0.firstMatch(of: #/"line":(\d+)/#).flatMap { Int($0.1) } }
        #expect(lines.sorted() == [3, 4, 6, 7, 8, 9, 10, 11])
        for words in [
            "No authorised domain covers evil.example", "carries a one-time code", "one to four segments", "is not a link domain",
            "exists already, and leads elsewhere", "com.evil is registered", "The short link cannot be read", "is a quote missing",
        ] { #expect(report.contains(words), "\(words)") }
        #expect(try await setup.run(LinksCommand.self, "import", setup.file("t.csv"), "--domain", "links.example.com") == 1)
        #expect(try await setup.links().map(\.path) == ["/a", "/h", "/e"])
    }

    @Test func `are known by their places if the file has no titles`() throws {
        let columns = try TakeoutColumns(firstRow: Self.row("https://links.example.com/a", "x").components(separatedBy: ","))
        #expect(!columns.hasHeader && columns.columns[2] == .parameter(.apn) && columns.columns[28] == .created)
    }

    @Test func `are known by titles in many spellings`() throws {
        let columns = try TakeoutColumns(
            firstRow: ["SHORT_LINK", "link", "apn", "iOS Bundle Id", "utm_source", "Colour", "is_archived", "Link Name", "createdAt"])
        #expect(
            columns.columns == [
                .shortLink, .parameter(.link), .parameter(.apn), .parameter(.ibi), .parameter(.utmSource), nil, .archived, .name, .created,
            ])
        #expect(columns.unknown == ["Colour"])
        for row in [["a", "b"], ["Short link", "x"], ["Short link", "link", "Deep link"]] {
            #expect(throws: Failure.self) { try TakeoutColumns(firstRow: row) }
        }
        // Every title of the export has its own column.
        let all = try TakeoutColumns(firstRow: Self.titles.components(separatedBy: ","))
        #expect(all.unknown.isEmpty && Set(all.columns).count == 29)
    }
}
