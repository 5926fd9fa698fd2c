import Accounts
import AppLinks
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward links`, which creates, lists, disables and imports short links.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Creates, lists, disables and imports short links.",
        discussion: """
            A short link is a path on a link domain of a project, under which a long link is stored (Docs/AppLinks.md). The server may be \
            running; it uses a change within a second. Links are never deleted, so that no path ever leads elsewhere.

            EXAMPLES
              onward links create --path /spring \\
                'https://links.example.com/?link=https://example.com/spring'
              onward links list --project my-app
              onward links show https://links.example.com/spring
              onward links disable https://links.example.com/spring
              onward links import takeout.csv
            """,
        subcommands: [Create.self, List.self, Show.self, Disable.self, Enable.self, LinksImport.self])

    struct Create: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a short link and prints it, alone on standard output.")
        @Argument(help: "The long link, in quotes. A path in it is the start of the short link's path.") var link: String
        @Option(help: ArgumentHelp("The path, such as /spring; a random suffix if omitted.", valueName: "path")) var path: String?
        @Flag(help: "A random suffix of four characters, which is easily guessed, instead of seventeen.") var short = false
        @Option(help: ArgumentHelp("A name for `onward links list`.", valueName: "text")) var name: String?
        @OptionGroup var file: ConfigurationFile

        func validate() throws {
            if path != nil && short { throw ValidationError("--path and --short exclude each other.") }
        }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let projects = ShortLinkProjects(configuration, await StoredAdminSettings(database: configuration.database))
            let project = try await projects.project(of: link)
            let now = try await store.wallClock()
            var proposal: ShortLinkProposal
            do throws(ShortLinkRefusal) { proposal = try project.propose(shortLinkTo: link, at: now()) } catch {
                throw Failure(error.explanation)
            }
            proposal.draft.name = name
            let (links, accepted) = (ShortLinks(store: store, now: now, random: System.random), proposal)
            let created = try await store.recording("links create", in: project.id) {
                guard let path else { return try await links.create(accepted, suffix: short ? .short : .unguessable) }
                guard let path = ShortLinkPath(path), accepted.prefix.isEmpty else {
                    throw Failure("--path: \(ShortLinkRefusal.path.explanation) The long link has no path then.")
                }
                return try await links.create(accepted, at: path)
            }
            for warning in proposal.warnings { FileHandle.standardError.write(Data("warning: \(warning.message)\n".utf8)) }
            print(created.url)
        }
    }

    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the short links and where they lead, oldest first.")
        @OptionGroup var scope: ProjectScope
        @Option(help: ArgumentHelp("The most links; all if omitted.", valueName: "count")) var limit: Int?
        @Flag(help: "Only links that clients created with an API key.") var byClients = false
        @Flag(help: "Print JSON lines.") var json = false
        @OptionGroup var file: ConfigurationFile

        private static let pageSize = 1_000

        func run(in store: Store, _ configuration: Configuration) async throws {
            _ = try scope.projects(of: configuration)
            var (last, left) = (0, limit ?? .max)
            while left > 0 {
                let page = try await store.shortLinks(in: scope.named, after: last, limit: Self.pageSize)
                for link in page.filter({ !byClients || $0.clientNumber != nil }).prefix(left) {
                    left -= 1
                    print(json ? link.json.text : link.line)
                }
                guard let end = page.last, page.count == Self.pageSize else { break }
                last = end.id
            }
        }
    }

    struct Show: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints one short link.")
        @Argument(help: "The short link.") var url: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let link = try await store.shortLink(url)
            print(json ? link.json.text : link.details)
        }
    }

    struct Disable: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a short link: visitors get the page for unknown addresses.")
        @Argument(help: "The short link.") var url: String
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let link = try await store.shortLink(url)
            let moment = try await store.wallClock()()
            let isChanged = try await store.recording("links disable", in: link.project) { try await store.disable(link, at: moment) }
            print(isChanged ? "Disabled \(link.url)." : "\(link.url) was disabled before.")
        }
    }

    struct Enable: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a disabled short link work again.")
        @Argument(help: "The short link.") var url: String
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let link = try await store.shortLink(url)
            let isChanged = try await store.recording("links enable", in: link.project) { try await store.disable(link, at: nil) }
            print(isChanged ? "Enabled \(link.url)." : "\(link.url) was enabled before.")
        }
    }
}

extension Store {
    /// The short link that an operator typed.
    func shortLink(_ text: String) async throws -> ShortLink {
        let url: WebURL
        do { url = try WebURL(text) } catch { throw Failure("the link cannot be read: \(error.explanation)") }
        let found = try await read { (records) throws(ActionError) in try records.shortLink(at: url.path, on: url.origin) }
        guard let found else { throw Failure("there is no short link \(url.origin)\(url.path); paths differ by case") }
        return found
    }
}
