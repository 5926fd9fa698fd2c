import Accounts
import AppLinks
import ArgumentParser
import Base
import Configuration
import Foundation
import HTTPServer
import Mail
import Server

/// The configuration of `onward dev`, built from its options.
struct DevConfiguration {
    let origin: WebURL
    let project: Project
    /// Whether other machines can connect.
    let listensBeyondLoopback: Bool
    private let passwordRules: DevPasswordRules
    private let addresses: [ListenAddress]

    /// - Parameters:
    ///   - listen: the address to listen on; nil: the loopback addresses of IPv4 and IPv6.
    ///   - announced: the origin of links; nil: one that reaches the address.
    ///   - linkDomains: further link domains, as `host` or `host:port`.
    ///   - looks: a project whose looks, words and password policy are shown.
    init(
        port: UInt16, listen: String?, origin announced: String? = nil, project id: String, authorize domains: [String],
        linkDomains: [String] = [], confirmBy: Project.ConfirmBy = .press, passwordRules: DevPasswordRules = .firebase,
        looks: Project? = nil
    ) throws {
        guard let port = port == 0 ? Port.free() : port else { throw Failure("No free port was found; expected --port.") }
        let own = Self.hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        let hosts = listen.map { [$0.trimmingCharacters(in: ["[", "]"])] } ?? own
        guard hosts.allSatisfy({ IPAddress($0) != nil }) else {
            throw ValidationError("--listen: expected an IP address, such as 127.0.0.1 or 0.0.0.0.")
        }
        listensBeyondLoopback = hosts.contains { IPAddress($0)?.isLoopback != true }
        origin = try announced.map(Self.origin) ?? WebURL("http://\(Self.announcedHost(for: hosts[0])):\(port)")
        self.passwordRules = passwordRules
        do {
            let sample = try Project.sample(
                id: id, origin: origin, domains: domains, linkDomains: try linkDomains.map(Self.linkDomain), confirmBy: confirmBy,
                passwordRules: passwordRules)
            project = looks.map { sample.looking(like: $0) } ?? sample
        } catch let error as AuthorizedDomains.BadEntry { throw ValidationError(error.explanation) }
        addresses = hosts.map { ListenAddress(host: $0, port: port) }
        if let inUse = addresses.first(where: { Port.isInUse(host: $0.host, port: $0.port) }) { throw AddressInUse(address: inUse) }
    }

    /// The host of links without `--origin`: one that the users of a listener can connect to.
    private static func announcedHost(for listen: String) -> String {
        guard let address = IPAddress(listen), !address.isLoopback else { return "localhost" }
        guard address.bytes.allSatisfy({ $0 == 0 }) else { return WebURL.Host.address(address).serialized }
        return LANAddress.find() ?? "localhost"
    }

    private static func origin(_ text: String) throws -> WebURL {
        guard let url = try? WebURL(text), ["http", "https"].contains(url.scheme), url.serialized == url.origin + "/" else {
            throw ValidationError("--origin: expected scheme, host and port alone, such as http://192.168.1.20:8080.")
        }
        return url
    }

    private static func linkDomain(_ text: String) throws -> LinkDomain {
        do { return try LinkDomain(text, isPlain: true) } catch {
            throw ValidationError("--link-domain: expected a host, such as links.example.test or links.example.test:8080.")
        }
    }

    /// - Parameters:
    ///   - database: the URL of a PostgreSQL database; nil: the file of the folder.
    ///   - limits: whether the default abuse limits apply, as in production.
    ///   - relay: the URL of an SMTP server that gets each mail as well; nil: mails are only shown.
    func configuration(
        in folder: DevFolder, database: String? = nil, resources: String?, limits: Bool, relay: String?
    ) throws -> Configuration {
        var configuration = Configuration()
        configuration.listen = addresses
        configuration.publicOrigin = origin
        configuration.database = try database.map(Self.database) ?? .sqlite(path: folder.database)
        configuration.projects = [project]
        configuration.secrets = Secrets(root: try folder.secret(random: System.random))
        configuration.resources = resources
        configuration.abuseLimits = limits ? Limit.standards : [:]
        configuration.mail = try relay.map(Self.mail)
        // Admin SDKs that use an emulator check the issuer.
        configuration.idTokenIssuer = TokenNames.firebaseIssuer
        return configuration
    }

    private static func database(_ text: String) throws -> DatabaseSetting {
        do throws(SettingError) {
            let url = try PostgreSQLURL(text)
            guard !url.hasPassword else {
                throw SettingError("a password does not belong on a command line; expected it in PGPASSWORD, or in libpq's password file")
            }
            return .postgreSQL(PostgreSQLSettings(.url(url)))
        } catch { throw ValidationError("--database: \(error.sentence).") }
    }

    /// Mail catchers rarely offer TLS, so it is used only if the URL says smtps.
    private static func mail(to relay: String) throws -> MailConfiguration {
        do throws(SMTPRelaySettings.Invalid) {
            let settings = try SMTPRelaySettings(url: relay, startTLS: relay.hasPrefix("smtps:") ? nil : .never, heloName: "localhost")
            return MailConfiguration(sender: .development, delivery: .relays([settings]))
        } catch { throw ValidationError("--relay: the URL \(error)") }
    }

    /// The text printed when the server is ready.
    /// - Parameters:
    ///   - name: what to say of the project; nil: its id.
    ///   - data: the folder, or the database.
    func greeting(addresses: [ListenAddress], project name: String? = nil, data: String, isKept: Bool) -> String {
        let isOpen = addresses.contains { IPAddress($0.host)?.isLoopback != true }
        return """

            Onward \(Version.current) for development. NOT FOR PRODUCTION: every client has admin access.\
            \(isOpen ? "\n! Other machines can connect: everyone on your network has admin access. Links say \(origin.origin), unless --origin does." : "")
            \(passwordRules.remark)

              Start here   \(origin.origin)/
              Inbox        \(origin.origin)/inbox
              Listens on   \(addresses.map(\.description).joined(separator: ", "))
              Project      \(name ?? project.id.rawValue)
              Data         \(data)\(isKept ? "" : "   (removed at the end)")

              Web app      connectAuthEmulator(auth, "\(origin.origin)")
              Admin SDK    FIREBASE_AUTH_EMULATOR_HOST=\(origin.origin.drop { $0 != "/" }.dropFirst(2))

            Press Control-C to stop.


            """
    }

    /// Whether the machine has the IPv6 loopback address, which containers often lack.
    private static var hasIPv6: Bool {
        let addresses = FileManager.default.contents(atPath: "/proc/net/if_inet6").map { String(decoding: $0, as: UTF8.self) }
        return addresses?.split(separator: "\n").contains { $0.hasPrefix("00000000000000000000000000000001 ") } == true
    }

    /// The error for an address on which another server listens.
    struct AddressInUse: Error, CustomStringConvertible {
        let address: ListenAddress

        var description: String {
            """
            \(address) is in use by another server, perhaps another `onward dev`.
            Stop it, or use another port, for example: onward dev --port \(address.port == .max ? 8080 : address.port + 1)
            """
        }
    }
}
