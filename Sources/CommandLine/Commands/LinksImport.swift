import AppLinks
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward links import`, which revives the short links of a domain of Firebase Dynamic Links.
struct LinksImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports the links of a domain that Google Takeout exported as CSV.",
        discussion: """
            The domain must be one of the linkDomains of a project, whose apps and authorised domains decide about each link as they do \
            about links of the API. Rows that are refused are written to FILE.refused.jsonl with their line and the reason, without effect \
            on others; then the exit status is 1. The import can be stopped and repeated: links that exist are kept. Archived links work, \
            as they did before.

            EXAMPLES
              onward links import takeout.csv
              onward links import example.page.link.csv --domain links.example.com
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file")) var path: String
    @Option(help: ArgumentHelp("The link domain for the links; by default that of the file.", valueName: "host")) var domain: String?
    @Option(help: ArgumentHelp("The report of refused rows. (default: the name of the file with .refused.jsonl)", valueName: "path"))
    var report: String?
    @OptionGroup var file: ConfigurationFile

    var createsDatabase: Bool { true }

    func run(in store: Store, _ configuration: Configuration) async throws {
        if let report, FileManager.default.fileExists(atPath: report) { throw Failure("the file \(report) already exists") }
        let importer = LinkImporter(
            store: store, projects: ShortLinkProjects(configuration, await StoredAdminSettings(database: configuration.database)),
            domain: try domain.map(Self.linkDomain), now: System.now)
        let refused = try await store.recording("links import") { try await run(importer) }
        guard refused == 0 else { throw ExitCode.failure }
    }

    /// - Returns: the number of refused rows.
    private func run(_ importer: LinkImporter) async throws -> Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        var refusals = try RefusedReport(report ?? path + ".refused.jsonl")
        var progress = ProgressLine(of: "links")
        defer { progress.finish() }
        let counts = try await importer.run(path) { titles in
            guard !titles.isEmpty else { return }
            let list = titles.map { "\"\($0)\"" }.joined(separator: ", ")
            FileHandle.standardError.write(Data("warning: columns that are not understood are left out: \(list)\n".utf8))
        } report: {
            try refusals.add($0)
        } progress: { counts in
            progress.show(counts.rows, refused: counts.refused, share: size.map { Double(counts.bytes) / Double(max(1, $0)) })
        }
        try refusals.close()
        progress.finish()
        print("\(counts.added) added")
        if counts.existing > 0 { print("\(counts.existing) skipped, because they already exist") }
        if counts.refused > 0 { print("\(counts.refused) refused, see \(refusals.path)") }
        return counts.refused
    }

    private static func linkDomain(_ text: String) throws -> LinkDomain {
        do { return try LinkDomain(text) } catch { throw Failure("--domain: expected a host such as links.example.com") }
    }
}
