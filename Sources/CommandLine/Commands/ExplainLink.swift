import Accounts
import AppLinks
import ArgumentParser
import Base
import Configuration
import Server

/// `onward explain-link`, which explains what a device gets for an app link.
struct ExplainLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-link",
        abstract: "Explains what a device gets for an app link: the app, a store or a page, and why.",
        discussion: """
            Parses the link as the server does, compares its URLs with the authorised domains of the project whose link domain it is on, \
            and decides for one device, or for one of each sort. Add d=1 to a link to see the same in a browser. The exit status is 0 if \
            the link is followed and 1 if it is refused. Secrets are not needed. A short link is read from the database, as the user of the \
            server.

            EXAMPLES
              onward explain-link 'https://links.example.com/?link=https://example.com/x'
              onward explain-link https://links.example.com/spring --device iphone
              onward explain-link https://links.example.com/spring \\
                --device 'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)'
            """)

    @Argument(help: "The link, in quotes.") var url: String
    @Option(
        help: ArgumentHelp(
            "iphone, ipad, android, desktop or program, or the User-Agent of a browser. Default: one of each sort.", valueName: "device"))
    var device: String?
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.readWithoutSecrets()
            let projects = Projects(configuration.projects)
            let changes = await StoredAdminSettings(database: configuration.database)
            let project = try await changes.applied(to: try Self.project(of: url, among: projects))
                .authorizedByUpstream()
            let devices = try Self.devices(named: device)
            let short = try await Self.shortLink(url, of: project, in: configuration)
            if let short { print("\(short.url) stands for \(short.link)") }
            do throws(AppLinkRefusal) {
                let approved = try Self.approved(url, short, in: project)
                for (name, device) in devices { print(Self.text(of: LinkDecision(approved, on: device), on: name, in: project)) }
            } catch {
                print("\(project.id): Refused. \(error.explanation)")
                if let caveat = changes.caveat { print(caveat) }
                throw ExitCode.failure
            }
            if let caveat = changes.caveat { print(caveat) }
        }
    }

    /// The stored link behind a short one; nil for another link. Throws `Failure` if it does not
    /// work.
    static func shortLink(_ text: String, of project: Project, in configuration: Configuration) async throws -> ShortLink? {
        guard let page = try? WebURL.split(link: text).page, ShortLinkPath(page.path) != nil else { return nil }
        let link = try await configuration.database.withStoreAsItIs { store in try await store.shortLink(page.serialized) }
        guard link.project == project.id else { throw Failure("the short link was made for project \(link.project)") }
        guard link.disabledAt == nil else { throw Failure("the short link is disabled; `onward links enable \(link.url)` ends that") }
        return link
    }

    /// - Parameter short: the stored link behind the URL, if it is that of a short link.
    static func approved(_ text: String, _ short: ShortLink?, in project: Project) throws(AppLinkRefusal) -> ApprovedAppLink {
        guard let short else { return try project.approve(appLink: text) }
        return try project.approve(short, visitedWith: (try? WebURL.split(link: text).query) ?? [])
    }

    /// The project whose link domain a link is on.
    static func project(of text: String, among projects: Projects) throws -> Project {
        let url: WebURL
        do { url = try WebURL.split(link: text).page } catch { throw Failure("the link cannot be read: \(error.explanation)") }
        let domains = projects.all.flatMap(\.linkDomains)
        guard let domain = domains.first(where: { $0.covers(url) }), let project = projects.project(linkDomain: domain) else {
            let known = domains.map(\.origin).joined(separator: ", ")
            throw Failure("\(url.origin) is not a link domain; expected one of \(known)")
        }
        return project
    }

    /// The devices to decide for: all sorts, one by its name, or one by its User-Agent.
    static func devices(named name: String?) throws -> [(name: String, device: LinkDevice)] {
        guard let name else { return LinkDevice.examples }
        let named = LinkDevice.examples.filter { $0.name == name.lowercased() }
        guard named.isEmpty else { return named }
        guard name.contains("/") else {
            let names = LinkDevice.examples.map(\.name).joined(separator: ", ")
            throw Failure("unknown device \(name); expected one of \(names), or a User-Agent")
        }
        let device = LinkDevice(userAgent: name)
        return [(LinkDevice.examples.first { $0.device == device }?.name ?? "this device", device)]
    }

    /// The decision for a device, with its URLs below it.
    static func text(of decision: LinkDecision, on device: String, in project: Project) -> String {
        let width = decision.targets.map(\.use.count).max() ?? 0
        let targets = decision.targets.map { use, url in
            "\n    " + use + String(repeating: " ", count: width - use.count + 2) + url
        }
        return "\(project.id), \(device): \(decision.explanation)" + targets.joined()
    }
}
