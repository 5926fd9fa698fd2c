import Accounts
import Base
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Network
import Store
import Synchronization
import Testing
import Views
import Web
import World
@testable import Remote

/// The authority of a project's codes.
enum AuthorityKind: CaseIterable {
    /// Onward's own store.
    case own
    /// A second Onward.
    case upstream
    /// A stand-in for Firebase's emulator.
    case standIn

    /// The kinds whose codes expire, and that check whether an account is disabled.
    static let strict = [own, upstream]
}

/// One installation of Onward or, for a project with an upstream, two servers: one that has the
/// accounts and codes, and Onward in front of it, which has neither. They communicate over a real
/// connection, on which a test can cause failures.
struct Installations: Sendable {
    /// A failure of one request to the upstream.
    enum InducedFailure: Sendable {
        /// Answers the request with this status and body and does not pass it on.
        case instead(Int, String)
        /// Passes the request on and loses its response.
        case lost
        /// Passes the request on when the task has ended.
        case after(Task<Void, Never>)
    }

    /// The installation that has the accounts and codes; that of the stand-in has none.
    let back: World
    /// The upstream in place of `back`.
    let standIn: StandIn?
    /// The installation that serves the links; the same as `back` without an upstream.
    let front: World
    let accounts: Accounts
    let site: Site
    let failure: Mutex<@Sendable (_ path: String) -> InducedFailure?>.Box
    private let projects: CurrentProjects
    private let asked: Mutex<[String]>.Box

    var project: Project { front.project }

    /// The paths of all requests that the upstream received.
    var requests: [String] { asked.value.withLock { $0 } }

    func fail(_ failure: @escaping @Sendable (_ path: String) -> InducedFailure?) { self.failure.value.withLock { $0 = failure } }

    /// Starts the installations, runs `body` and stops them.
    /// - Parameters:
    ///   - isAlone: whether the project is the only one of its host.
    ///   - isLimited: whether attempts are limited, by a clock that stands still.
    static func run(
        _ kind: AuthorityKind, _ change: (inout Project) throws -> Void = { _ in }, isAlone: Bool = false, isLimited: Bool = false,
        _ body: (Installations) async throws -> Void
    ) async throws {
        let back = try await World(change)
        guard kind != .own else {
            return try await body(
                Installations(
                    back: back, standIn: nil, front: back, accounts: back.accounts, failure: .init({ _ in nil }), asked: .init([])))
        }
        let standIn = kind == .standIn ? StandIn() : nil
        let site = try Self.site(back, back.accounts, back.current(Projects([back.project])))
        let (failure, asked) = (Mutex<@Sendable (String) -> InducedFailure?>.Box({ _ in nil }), Mutex<[String]>.Box([]))
        let server = HTTPServer(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], logger: Self.quiet) { request, body, peer in
            var head = request
            head.authority = "auth.example"
            let request = head
            let path = String((request.path ?? "").prefix { $0 != "?" })
            asked.value.withLock { $0.append(path) }
            @Sendable func answer() async -> (HTTPResponse, [UInt8]) {
                guard let standIn else {
                    return await site.accept(request, bodyLength: body.count, from: peer, through: .front).response(to: body)
                }
                guard let (status, text) = standIn.respond(path, body) else { return (HTTPResponse(status: .badGateway), []) }
                return (HTTPResponse(status: .init(code: status)), Array(text.utf8))
            }
            switch failure.value.withLock({ $0 })(path) {
            case .instead(let status, let text): return (HTTPResponse(status: .init(code: status)), Array(text.utf8))
            case .lost:
                _ = await answer()
                return (HTTPResponse(status: .badGateway), [])
            case .after(let task):
                await task.value
                return await answer()
            case nil: return await answer()
            }
        }
        let port = try #require(try await server.start().first).port
        let front = try await World { project in
            try change(&project)
            project.upstream = UpstreamProject(base: try WebURL("http://127.0.0.1:\(port)"), domains: .file)
        }
        var limits = TransferLimits()
        (limits.connect, limits.total) = (.patience, .patience)
        let upstreams = Upstreams(limits: limits, uptime: front.clock.uptime, logger: Self.quiet)
        let both = try Installations(
            back: back, standIn: standIn, front: front,
            accounts: front.accounts(
                signedWith: nil, upstreams: { upstreams[base: $0] },
                limits: isLimited ? Limits(Limit.standards, secrets: front.secrets, uptime: { .zero }) : nil),
            failure: failure, asked: asked,
            beside: isAlone ? [] : [front.beside.project],
            outages: { upstreams.outages(among: Projects([front.project])) })
        try await body(both)
        await server.stop()
    }

    private init(
        back: World, standIn: StandIn?, front: World, accounts: Accounts, failure: Mutex<@Sendable (String) -> InducedFailure?>.Box,
        asked: Mutex<[String]>.Box,
        beside: [Project] = [], outages: @escaping @Sendable () -> [String] = { [] }
    ) throws {
        (self.back, self.standIn, self.front, self.accounts) = (back, standIn, front, accounts)
        (self.failure, self.asked) = (failure, asked)
        projects = front.current(Projects([front.project] + beside))
        site = try Self.site(front, accounts, projects, outages: outages)
    }

    /// Forgets the rules for passwords that refusals named, as the watch does.
    func forgetLearntPasswords() { projects.forgetLearntPasswords(of: project.id) }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let views = Result {
        try Views(
            resources: Resources(
                release: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL.path))
    }

    private static func site(
        _ world: World, _ accounts: Accounts, _ projects: CurrentProjects,
        outages: @escaping @Sendable () -> [String] = { [] }
    ) throws -> Site {
        let views = try Self.views.get()
        return Site(
            mode: .production(Site.Production(audit: Audit(store: world.store) { _, _ in }) { _ in nil }),
            origin: try WebURL("https://auth.example"), projects: projects,
            accounts: accounts, views: views, brands: try Brands(projects.value, views: views),
            credentials: NoProviders(), helperPages: NoHelperPages(), textMessages: NoTextMessages(), secrets: world.secrets, ready: {},
            remarks: outages,
            logger: quiet)
    }
}

extension Installations {
    func link(_ action: Action, _ code: OobCode, to continueURL: String? = "https://app.example/welcome?a=1") -> ActionLink {
        ActionLink(action: action, code: code, apiKey: "shop-key", continueURL: continueURL, language: "en")
    }

    /// A link with a live code for `ada@app.example`.
    func issue(_ action: Action) async throws -> ActionLink {
        if let standIn { return link(action, standIn.issue(action)) }
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome?a=1"
        return link(action, try await back.issue(action, settings: settings))
    }

    /// The account of the links.
    struct Person: Equatable {
        let email: String?
        let isVerified: Bool
        let password: String?
        let hasFactor: Bool
    }

    func ada() async throws -> Person {
        if let ada = standIn?.ada {
            return Person(email: ada.email, isVerified: ada.isVerified, password: ada.password, hasFactor: ada.hasFactor)
        }
        let account = try #require(try await back.stored(AccountID(rawValue: "ada")))
        let factors = try await back.store.read { (records) throws(ActionError) in
            try records.secondFactors(of: account.id, in: account.project)
        }
        return Person(
            email: account.email?.value, isVerified: account.emailVerified, password: account.passwordHash.map { "\($0)" },
            hasFactor: !factors.isEmpty)
    }

    /// Gives an address to another account.
    func occupy(_ email: String) async throws {
        guard let standIn else {
            try await back.account(email, id: "eve")
            return
        }
        standIn.account("eve", email)
    }

    /// A link with a live code of the second project, which has no upstream.
    func issueBeside(_ action: Action) async throws -> ActionLink {
        ActionLink(action: action, code: try await front.beside.issue(action), apiKey: "near-key")
    }

    func inspect(_ link: ActionLink) async throws -> Inspection { try await accounts.inspect(link, in: project) }

    func pending(_ link: ActionLink) async throws -> PendingAction { try await inspect(link).pending() }

    @discardableResult
    func redeem(_ link: ActionLink, _ password: String = "a quiet long phrase") async throws -> Outcome {
        try await accounts.redeem(try await pending(link), with: .newPassword(password))
    }

    /// The refusal of redeeming `pending`; nil if it succeeds or fails with another error.
    func refusal(of pending: PendingAction, _ password: String = "a quiet long phrase") async -> Refusal? {
        await error(of: pending, password)?.refusal
    }

    func error(of pending: PendingAction, _ password: String = "a quiet long phrase") async -> ActionError? {
        do throws(ActionError) {
            _ = try await accounts.redeem(pending, with: .newPassword(password))
            return nil
        } catch { return error }
    }

    func state(_ link: ActionLink) async throws -> State { State(try await inspect(link)) }

    enum State: Equatable {
        case live, used, withdrawn, expired, uncertain, unknown

        init(_ inspection: Inspection) {
            self =
                switch inspection {
                case .live: .live
                case .used: .used
                case .withdrawn: .withdrawn
                case .expired: .expired
                case .uncertain: .uncertain
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
