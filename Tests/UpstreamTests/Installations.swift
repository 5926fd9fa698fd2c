import Accounts
import Curl
import EmailActions
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Synchronization
import Testing
import Views
import Web
import WebURL
import World

@testable import Upstream

/// The authority of a project's codes.
enum Home: CaseIterable { case own, upstream }

/// One installation of Onward or, for a project with an upstream, two: one that has the accounts
/// and codes, and one in front of it that has neither. They communicate over a real connection, on
/// which a test can cause failures.
struct Installations: Sendable {
    /// A failure of one request to the upstream.
    enum Harm: Sendable {
        /// Answers the request with this status and body and does not pass it on.
        case instead(Int, String)
        /// Passes the request on and loses its response.
        case lost
        /// Passes the request on when the task has ended.
        case after(Task<Void, Never>)
    }

    /// The installation that has the accounts and codes.
    let back: World
    /// The installation that serves the links; the same as `back` without an upstream.
    let front: World
    let actions: EmailActions
    let site: Site
    let harm: Mutex<@Sendable (_ path: String) -> Harm?>.Box
    private let asked: Mutex<[String]>.Box

    var project: Project { front.project }

    /// The paths of all requests that the upstream received.
    var requests: [String] { asked.value.withLock { $0 } }

    func harm(_ harm: @escaping @Sendable (_ path: String) -> Harm?) { self.harm.value.withLock { $0 = harm } }

    /// Starts the installations, runs `body` and stops them.
    static func run(
        _ home: Home, _ change: (inout Project) throws -> Void = { _ in }, _ body: (Installations) async throws -> Void
    ) async throws {
        let back = try await World(change)
        guard home == .upstream else {
            return try await body(
                Installations(back: back, front: back, actions: back.actions, harm: .init({ _ in nil }), asked: .init([])))
        }
        let site = try Self.site(back, back.actions)
        let (harm, asked) = (Mutex<@Sendable (String) -> Harm?>.Box({ _ in nil }), Mutex<[String]>.Box([]))
        let server = HTTPServer(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], logger: Self.quiet) { request, body, peer in
            var request = request
            request.authority = "auth.example"
            let path = String((request.path ?? "").prefix { $0 != "?" })
            asked.value.withLock { $0.append(path) }
            switch harm.value.withLock({ $0 })(path) {
            case .instead(let status, let text): return (HTTPResponse(status: .init(code: status)), Array(text.utf8))
            case .lost:
                _ = await site.respond(to: request, body, from: peer, through: .front)
                return (HTTPResponse(status: .badGateway), [])
            case .after(let task):
                await task.value
                return await site.respond(to: request, body, from: peer, through: .front)
            case nil: return await site.respond(to: request, body, from: peer, through: .front)
            }
        }
        let port = try #require(try await server.start().first).port
        let front = try await World { project in
            try change(&project)
            project.upstream = UpstreamProject(base: try WebURL("http://127.0.0.1:\(port)"), domains: .file)
        }
        var limits = TransferLimits()
        (limits.connect, limits.total) = (.seconds(120), .seconds(120))
        let upstreams = Upstreams(limits: limits, now: front.clock.now, logger: Self.quiet)
        let both = try Installations(
            back: back, front: front, actions: front.actions { upstreams[base: $0] }, harm: harm, asked: asked,
            outages: { upstreams.outages(among: Projects([front.project])) })
        try await body(both)
        await server.stop()
    }

    private init(
        back: World, front: World, actions: EmailActions, harm: Mutex<@Sendable (String) -> Harm?>.Box, asked: Mutex<[String]>.Box,
        outages: @escaping @Sendable () -> [String] = { [] }
    ) throws {
        (self.back, self.front, self.actions, self.harm, self.asked) = (back, front, actions, harm, asked)
        site = try Self.site(front, actions, beside: [front.beside.project], outages: outages)
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let views = Result {
        try Views(resources: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL.path)
    }

    private static func site(
        _ world: World, _ actions: EmailActions, beside: [Project] = [], outages: @escaping @Sendable () -> [String] = { [] }
    ) throws -> Site {
        let views = try Self.views.get()
        let projects = Projects([world.project] + beside)
        return Site(
            mode: .production(Site.Production(audit: Audit(store: world.store) { _, _ in }) { _ in nil }),
            origin: try WebURL("https://auth.example"), projects: world.current(projects),
            accounts: world.accounts(signedWith: nil), actions: actions, views: views, brands: try Brands(projects, views: views),
            credentials: NoProviders(), textMessages: NoTextMessages(), secrets: world.secrets, ready: {}, remarks: outages, logger: quiet)
    }
}

extension Installations {
    func link(_ action: Action, _ code: OobCode, to continueURL: String? = "https://app.example/welcome?a=1") -> ActionLink {
        ActionLink(action: action, code: code, apiKey: "shop-key", continueURL: continueURL, language: "en")
    }

    /// A link with a live code for `ada@app.example`.
    func issue(_ action: Action) async throws -> ActionLink {
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome?a=1"
        return link(action, try await back.issue(action, settings: settings))
    }

    /// A link with a live code of the second project, which has no upstream.
    func issueBeside(_ action: Action) async throws -> ActionLink {
        ActionLink(action: action, code: try await front.beside.issue(action), apiKey: "near-key")
    }

    func inspect(_ link: ActionLink) async throws -> Inspection { try await actions.inspect(link, in: project) }

    func pending(_ link: ActionLink) async throws -> PendingAction { try await inspect(link).pending() }

    @discardableResult
    func redeem(_ link: ActionLink, _ password: String = "a quiet long phrase") async throws -> Outcome {
        try await actions.redeem(try await pending(link), with: .newPassword(password))
    }

    /// The refusal of redeeming `pending`; nil if it succeeds or fails with another error.
    func refusal(of pending: PendingAction, _ password: String = "a quiet long phrase") async -> Refusal? {
        await error(of: pending, password)?.refusal
    }

    func error(of pending: PendingAction, _ password: String = "a quiet long phrase") async -> ActionError? {
        do throws(ActionError) {
            _ = try await actions.redeem(pending, with: .newPassword(password))
            return nil
        } catch { return error }
    }

    func state(_ link: ActionLink) async throws -> State { State(try await inspect(link)) }

    enum State: Equatable {
        case live, used, withdrawn, expired, unknown

        init(_ inspection: Inspection) {
            self =
                switch inspection {
                case .live: .live
                case .used: .used
                case .withdrawn: .withdrawn
                case .expired: .expired
                case .unknown: .unknown
                }
        }
    }

    func advance(by span: Duration) {
        back.clock.advance(by: span)
        if front.clock !== back.clock { front.clock.advance(by: span) }
    }
}

extension World {
    /// This installation with a second project, which has no upstream.
    fileprivate var beside: World {
        var project = Project(
            id: ProjectID(rawValue: "near"), displayName: "Near", authorizedDomains: project.authorizedDomains, actionURL: project.actionURL
        )
        project.apiKeys = ["near-key"]
        var world = self
        world.project = project
        return world
    }
}

extension Mutex where Value: Sendable {
    /// A reference to a mutex, which several closures can share.
    final class Box: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }
}

extension Action {
    /// The actions whose codes Onward applies; a sign-in code is applied by the app.
    static let redeemable = allCases.filter { $0 != .signIn }
}
