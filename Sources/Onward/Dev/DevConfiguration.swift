import Accounts
import ArgumentParser
import EmailActions
import Foundation
import HTTPServer
import Web
import WebURL

/// What `onward dev` has in place of a configuration file.
struct DevConfiguration {
    let origin: WebURL
    let project: Project
    private let addresses: [ListenAddress]

    /// - Parameter listen: nil: both of this machine's own addresses.
    init(port: UInt16, listen: String?, project id: String, authorize domains: [String]) throws {
        guard let port = port == 0 ? Port.free() : port else { throw ValidationError("There is no free port.") }
        origin = try WebURL("http://localhost:\(port)")
        do {
            project = try Project.sample(id: id, origin: origin, domains: domains)
        } catch let error as AuthorizedDomains.BadEntry { throw ValidationError(error.explanation) }

        let own = Self.hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        let hosts = listen.map { [$0.trimmingCharacters(in: ["[", "]"])] } ?? own
        guard hosts.allSatisfy({ IPAddress($0) != nil }) else {
            throw ValidationError("--listen takes an IP address, such as 127.0.0.1 or 0.0.0.0.")
        }
        addresses = hosts.map { ListenAddress(host: $0, port: port) }
        if let taken = addresses.first(where: Port.isTaken) { throw Taken(address: taken) }
    }

    /// - Parameter limits: whether anyone may try things only so often, as in production.
    func configuration(in folder: DevFolder, resources: String?, limits: Bool) throws -> Configuration {
        var configuration = Configuration(
            listen: addresses, publicOrigin: origin, database: folder.database, projects: [project])
        configuration.secrets = Secrets(root: try folder.secret(random: System.random))
        configuration.resources = resources
        configuration.abuseLimits = limits ? Limit.standards : [:]
        // Admin SDKs that talk to an emulator check for it.
        configuration.idTokenIssuer = TokenNames.firebaseIssuer
        return configuration
    }

    /// What stands in the terminal when the server is ready.
    func greeting(addresses: [ListenAddress], folder: String, isKept: Bool) -> String {
        let isOpen = addresses.contains { IPAddress($0.host)?.isLoopback != true }
        return """

            Onward \(Version.current) for development. NOT FOR PRODUCTION: anyone who can reach it is admin.\
            \(isOpen ? "\n! It listens beyond this machine: everyone on your network can reach it." : "")

              Start here   \(origin.origin)/
              Inbox        \(origin.origin)/inbox
              Listens on   \(addresses.map(\.description).joined(separator: ", "))
              Project      \(project.id)
              Data         \(folder)\(isKept ? "" : "   (gone at the end)")

              Web app      connectAuthEmulator(auth, "\(origin.origin)")
              Admin SDK    FIREBASE_AUTH_EMULATOR_HOST=\(origin.origin.replacing("http://", with: ""))

            Press Control-C to stop.


            """
    }

    /// Containers often have no IPv6 at all.
    private static var hasIPv6: Bool {
        let addresses = FileManager.default.contents(atPath: "/proc/net/if_inet6").map { String(decoding: $0, as: UTF8.self) }
        return addresses?.split(separator: "\n").contains { $0.hasPrefix("00000000000000000000000000000001 ") } == true
    }

    /// Another server listens there.
    struct Taken: Error, CustomStringConvertible {
        let address: ListenAddress

        var description: String {
            """
            \(address) is taken: another server, perhaps another `onward dev`, listens there.
            Stop it, or take another port, such as: onward dev --port \(address.port == .max ? 8080 : address.port + 1)
            """
        }
    }
}
