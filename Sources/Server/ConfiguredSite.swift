import Accounts
import AppLinks
import Base
import Configuration
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Mail
import Remote
import Store
import Web

/// The parts of the server that depend on the configuration. A reload creates a new one; each
/// request is answered by a single one (Z3).
public final class ConfiguredSite: Sendable {
    let configuration: Configuration
    let projects: CurrentProjects
    let accounts: Accounts
    let limits: Limits?
    /// The part of the deliverer of mails that a reload replaces. Connections to relays are kept if
    /// the relays are unchanged.
    let mailContent: MailDeliverer.Content
    private let site: Site
    private let httpsRedirect: HTTPSRedirect
    private let untrustedForwarding, misdirectedRequests: CountedWarning

    /// - Parameter previous: the site that is replaced; its rate limit counts are kept if the
    ///   limits are unchanged.
    init(_ configuration: Configuration, _ loaded: LoadedResources, on resources: ProcessResources, after previous: ConfiguredSite? = nil)
        async throws
    {
        let (store, secrets, now, random) = (resources.store, resources.secrets, resources.clock.now, resources.random)
        let (views, brands) = (loaded.views, loaded.brands)
        let projects = CurrentProjects(
            loaded.projects, store: store, checks: SettingsChecks(views: views), now: now,
            adopted: resources.mode.keepAlias)
        try await AdminSettingsWatch(projects: { projects }, logger: resources.logger).refresh()
        if let previous { projects.inheritUpstreams(of: previous.projects.value) }
        await UpstreamWatch(projects: { projects }, upstreams: resources.upstreams, logger: resources.logger)
            .refresh(onlyAwaited: previous != nil)
        let names =
            resources.mode.isDevelopment
            ? configuration.tokenNames(for: loaded.projects) { projects.value.alias(of: $0) }
            : configuration.tokenNames(for: loaded.projects)
        let tokens =
            resources.signingKeys.map { IDTokens(signedWith: $0, names: names, now: System.now) }
            ?? .unsigned(names: names, now: System.now)
        let letters = loaded.composer(at: configuration.publicOrigin)
        let outbox = Outbox(secrets: secrets, random: random)
        let issued = resources.mode.isDevelopment ? resources.issued : nil

        self.configuration = configuration
        self.projects = projects
        let limits: Limits? =
            if let previous, previous.configuration.abuseLimits == configuration.abuseLimits,
                previous.configuration.nodes == configuration.nodes
            {
                previous.limits
            } else {
                configuration.abuseLimits.isEmpty ? nil : Limits(configuration.abuseLimits, nodes: configuration.nodes, secrets: secrets)
            }
        self.limits = limits
        accounts = Accounts(
            store: store, passwords: resources.passwords, tokens: tokens, outbox: outbox, secrets: secrets, now: now, random: random,
            recentSignIn: resources.mode.isDevelopment ? nil : Accounts.usualRecentSignIn, linkKey: { projects.value.linkKey(of: $0) },
            mailHasNumber: { letters.showsNumber($0, language: $1, in: $2) },
            upstreams: { [upstreams = resources.upstreams] in upstreams[base: $0] }, limits: limits, turns: resources.passwordTurns,
            observe: { [codes = resources.meters.codes, wakes = resources.mailWakes] event in
                codes.count(event)
                guard case .issued(let code) = event else { return }
                issued?.add(code)
                wakes.wake()
            })
        let sender = configuration.mail?.sender ?? .development
        let transport =
            if let previous, previous.configuration.mail?.delivery == configuration.mail?.delivery,
                previous.configuration.nodes == configuration.nodes
            {
                previous.mailContent.transport
            } else {
                configuration.mail?.transport(nodes: configuration.nodes, now: System.now, logger: resources.logger)
            }
        mailContent = MailDeliverer.Content(
            project: { projects.value[$0] }, compose: letters.compose, sender: sender, transport: transport, nodes: configuration.nodes)
        let feedback = FeedbackReceiver(
            configuration.mail?.feedback, certificates: resources.snsCertificates, store: store, outbox: outbox, secrets: secrets, now: now,
            meters: resources.mailMeters, logger: resources.logger)
        let remarks: @Sendable () -> [String] = { [upstreams = resources.upstreams, clock = resources.clock] in
            upstreams.outages(among: projects.value) + [clock.reading().remark].compactMap(\.self)
        }
        let reader = ServerStateReader(
            store: store, registry: resources.registry, database: configuration.database,
            endpoints: resources.mode.isDevelopment ? nil : configuration.events.map(\.endpoint.url), nodes: configuration.nodes,
            startedAt: resources.startedAt,
            ofResources: loaded.diagnoses, remarks: remarks, now: now)
        site = Site(
            mode: resources.siteMode(
                adminHosts: resources.sockets.hosts(.admin, in: configuration),
                console: resources.sockets.consolePlace(in: configuration),
                projects: projects.value,
                compose: letters.compose, encode: { MIMEMessage(sender.mail($0, id: $1, $2, of: $3)).bytes }),
            origin: configuration.publicOrigin, projects: projects, accounts: accounts, views: views, brands: brands,
            credentials: resources.credentials, helperPages: resources.helperPages, textMessages: resources.textMessages, secrets: secrets,
            wellKnown: WellKnownAddresses(
                securityContact: configuration.securityContact, changePasswordURL: configuration.changePasswordURL),
            largeBodies: resources.largeBodies, meters: resources.meters, feedback: feedback.receive,
            countVisit: { [counter = resources.shortLinkCounter] in counter.count($0) },
            ready: { () throws(ActionError) in try await store.ping() },
            remarks: remarks,
            state: { await reader.state(for: $0, isWhole: $1) },
            logger: resources.logger)
        httpsRedirect = HTTPSRedirect(configuration)
        (untrustedForwarding, misdirectedRequests) = (resources.untrustedForwarding, resources.misdirectedRequests)
    }

    /// Judges a request of the public listeners, possibly forwarded by a trusted proxy.
    func accept(_ head: HTTPRequest, _ bodyLength: Int?, _ peer: String) async -> Acceptance {
        let forwardedFor = head.headerFields[.xForwardedFor]
        if forwardedFor != nil, !configuration.trustedProxies.isTrusted(peer) { untrustedForwarding.notice(["peer": "\(peer)"]) }
        let client = configuration.trustedProxies.client(behind: peer, forwardedFor: forwardedFor)
        let acceptance = await site.accept(head, bodyLength: bodyLength, from: client, through: .front)
        if case .response(let response, _) = acceptance, response.status == .misdirectedRequest { noticeMisdirected(head) }
        return acceptance
    }

    private func noticeMisdirected(_ head: HTTPRequest) {
        let hosts = [configuration.publicOrigin.origin] + configuration.projects.flatMap(\.linkDomains).map(\.origin)
        let own: Logger.Metadata = ["expected": .array(hosts.map { "\($0)" })]
        misdirectedRequests.notice(own.with(client: ["host": head.authority ?? ""]))
    }

    /// Judges a request of the admin listener. `X-Forwarded-For` is ignored, because no proxy is
    /// expected.
    func acceptAtAdminListener(_ head: HTTPRequest, _ bodyLength: Int?, _ peer: String) async -> Acceptance {
        await site.accept(head, bodyLength: bodyLength, from: peer, through: .admin)
    }

    /// Judges a request of the listener of the console, which ignores `X-Forwarded-For` as well.
    func acceptAtConsoleListener(_ head: HTTPRequest, _ bodyLength: Int?, _ peer: String) async -> Acceptance {
        await site.accept(head, bodyLength: bodyLength, from: peer, through: .console)
    }

    /// Redirects a request of the plain HTTP listener to https.
    func redirect(_ request: HTTPRequest) -> (HTTPResponse, [UInt8]) { httpsRedirect.answer(request) }
}

extension ProcessResources {
    fileprivate func siteMode(
        adminHosts: Set<String>, console: Site.ConsolePlace?, projects: Projects, compose: @escaping Compose,
        encode: @escaping Site.Development.Encode
    ) -> Site.Mode {
        switch mode {
        case .production:
            let keys = AdminKeyAuthenticator(store: store, secrets: secrets, now: clock.now, random: random)
            return .production(
                .init(audit: Audit(store: store, logger: logger), adminHosts: adminHosts, console: console) {
                    bearer throws(ActionError) in try await keys.admin(of: bearer)
                })
        case .development(let options):
            return .development(
                .init(
                    inbox: StoreInbox(
                        store: store, issued: issued, sentTextMessages: sentTextMessages, secrets: secrets, now: clock.now),
                    compose: compose,
                    encode: encode, sampleAccounts: SampleAccounts.all, project: options.sample.id,
                    apiKey: projects.linkKey(of: options.sample), trustsEveryOrigin: options.trustsEveryOrigin,
                    hosts: DevelopmentHosts(listensBeyondLoopback: options.listensBeyondLoopback),
                    hasFirebasePasswordRules: options.passwordRules == .firebase))
        }
    }
}

extension InheritedSockets {
    /// The host names of a listener of one's own network.
    fileprivate func hosts(_ role: Role, in configuration: Configuration) -> Set<String> {
        Set(addresses(role, in: configuration).map(\.hostInURLs) + ["localhost"])
    }

    fileprivate func consolePlace(in configuration: Configuration) -> Site.ConsolePlace? {
        if !addresses(.console, in: configuration).isEmpty { return .listener(hosts: hosts(.console, in: configuration)) }
        return configuration.hasConsole ? .origin : nil
    }
}

extension ListenAddress {
    /// The host as written in URLs and in `Host`.
    fileprivate var hostInURLs: String { host.contains(":") ? "[\(IPAddress(host)?.description ?? host)]" : host }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
