import Base
public import Configuration
public import Foundation
import HTTPServer

/// Listening sockets inherited from systemd (socket activation). They replace the configured
/// addresses of the same role. Source: sd_listen_fds(3).
public struct InheritedSockets: Sendable {
    /// The role of a socket, which is its `FileDescriptorName=` in the unit.
    public enum Role: String, Sendable, CaseIterable {
        case http, https, redirect, admin, console
    }

    /// The environment variables that describe the sockets.
    public static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    public static let none = InheritedSockets(byRole: [:])

    private let byRole: [Role: [ListenAddress]]

    private init(byRole: [Role: [ListenAddress]]) { self.byRole = byRole }

    /// Takes the sockets; throws a sentence for the author of the unit if one cannot be used.
    /// - Parameter first: the first descriptor; the others follow it.
    public init(_ environment: Configuration.Environment, process: pid_t = getpid(), first: Int32 = 3) throws(SettingError) {
        guard environment("LISTEN_PID") == String(process), let count = environment("LISTEN_FDS").flatMap(Int32.init), count > 0 else {
            self = .none
            return
        }
        let names = (environment("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        var byRole: [Role: [ListenAddress]] = [:]
        for (index, descriptor) in (first..<first + count).enumerated() {
            let name = index < names.count ? String(names[index]) : ""
            guard let role = Role(rawValue: name) else {
                let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingError(
                    "the inherited socket \(descriptor) has the name \"\(name)\"; expected FileDescriptorName= to be one of \(roles)")
            }
            guard let address = ListenAddress(inherited: descriptor) else {
                throw SettingError(
                    "the inherited socket \(descriptor), \(name), does not listen for TCP on either IPv4 or IPv6; "
                        + "expected ListenStream= with an IP address and a port, and BindIPv6Only=ipv6-only"
                )
            }
            byRole[role, default: []].append(address)
        }
        self.byRole = byRole
    }

    /// Checks the sockets like the addresses of the configuration.
    public func check(with configuration: Configuration) throws(SettingError) {
        if byRole[.https] != nil, configuration.tls.isEmpty {
            throw SettingError("a socket named https was inherited; expected tls and listenTLS in the configuration too")
        }
        for role in [Role.admin, .console] {
            guard (byRole[role] ?? []).allSatisfy({ IPAddress($0.host)?.isLocal == true }) else {
                throw SettingError("the inherited socket named \(role) is for your own network, so its address must be loopback or private")
            }
            let others = Role.allCases.filter { $0 != role }.flatMap { addresses($0, in: configuration) }.map(\.port).filter { $0 != 0 }
            if let taken = addresses(role, in: configuration).first(where: { others.contains($0.port) }) {
                throw SettingError("the port \(taken.port) is used for \(role) and for other sockets; expected a separate port")
            }
        }
    }

    /// The addresses to listen on for a role.
    func addresses(_ role: Role, in configuration: Configuration) -> [ListenAddress] {
        byRole[role]
            ?? {
                switch role {
                case .http: configuration.listen
                case .https: configuration.listenTLS
                case .redirect: configuration.redirectFrom
                case .admin: configuration.adminListen
                case .console: configuration.consoleListen
                }
            }()
    }
}
