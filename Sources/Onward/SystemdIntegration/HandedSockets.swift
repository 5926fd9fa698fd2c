import Foundation
import HTTPServer
import WebURL

/// Listening sockets that were opened by whoever started this process, as systemd does for a `.socket` unit. They take the place of the
/// addresses that the configuration has for the same role. Source: sd_listen_fds(3).
struct HandedSockets: Sendable {
    /// What `FileDescriptorName=` of the unit says that a socket is for.
    enum Role: String, CaseIterable {
        case http, https, redirect, admin
    }

    /// What says which they are.
    static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// None.
    static let none = HandedSockets(byRole: [:])

    private let byRole: [Role: [ListenAddress]]

    private init(byRole: [Role: [ListenAddress]]) { self.byRole = byRole }

    /// Throws what is wrong with a socket, in words for whoever wrote the unit.
    /// - Parameter first: the number of the first; the others follow.
    init(_ environment: Configuration.Environment, process: pid_t = getpid(), first: Int32 = 3) throws(Fault) {
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
                throw Fault("socket \(descriptor) was handed over as \"\(name)\"; expected FileDescriptorName= to be one of \(roles)")
            }
            guard let address = ListenAddress(handedOver: descriptor) else {
                throw Fault(
                    "socket \(descriptor), handed over as \(name), does not listen for TCP on one kind of address; "
                        + "expected ListenStream= with IP address and port, and BindIPv6Only=ipv6-only"
                )
            }
            byRole[role, default: []].append(address)
        }
        self.byRole = byRole
    }

    /// Holds them to what addresses in the configuration are held to.
    func check(with configuration: Configuration) throws(Fault) {
        if byRole[.https] != nil, configuration.tls.isEmpty {
            throw Fault("a socket was handed over as https; expected tls and listenTLS, too")
        }
        let admins = byRole[.admin] ?? []
        guard admins.allSatisfy({ IPAddress($0.host)?.isPrivate == true }) else {
            throw Fault("whoever reaches the socket that was handed over as admin is admin, so it must be loopback or private")
        }
        let others = Role.allCases.filter { $0 != .admin }.flatMap { addresses($0, in: configuration) }.map(\.port).filter { $0 != 0 }
        if let taken = addresses(.admin, in: configuration).first(where: { others.contains($0.port) }) {
            throw Fault("the port \(taken.port) is for admins and for others; expected one of its own")
        }
    }

    /// Where to listen for a role.
    func addresses(_ role: Role, in configuration: Configuration) -> [ListenAddress] {
        byRole[role]
            ?? {
                switch role {
                case .http: configuration.listen
                case .https: configuration.listenTLS
                case .redirect: configuration.redirectFrom
                case .admin: configuration.adminListen
                }
            }()
    }
}
