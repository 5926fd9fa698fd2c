public import Accounts
public import Base
internal import Foundation
public import Logging
internal import Network

/// Sends the mails of the queue: leases them, composes each with the templates of the moment, hands
/// it to the transport and records the result.
///
/// A mail is sent at least once. It is sent twice only if the process or the lease ends between the
/// relay's answer and the record of it; both have the same Message-ID (M2, M3).
public struct MailDeliverer: Sendable {
    /// The part that a reload of the configuration replaces. A mail that is being sent ends with
    /// the content that it began with.
    public struct Content: Sendable {
        public let project: @Sendable (ProjectID) -> Project?
        public let compose: Compose
        public let sender: MailSender
        /// Nil while mails are not sent.
        public let transport: (any MailTransport)?
        /// The number of processes that share the pace of a project.
        public let nodes: Int

        public init(
            project: @escaping @Sendable (ProjectID) -> Project?, compose: @escaping Compose, sender: MailSender,
            transport: (any MailTransport)?, nodes: Int = 1
        ) {
            (self.project, self.compose, self.sender, self.transport, self.nodes) = (project, compose, sender, transport, nodes)
        }
    }

    public struct Options: Sendable {
        /// The number of mails that are sent at once.
        public var width = 16
        /// The time after which another process may send a leased mail. Longer than the transport's
        /// own deadline.
        public var lease = Duration.seconds(60)
        /// The time between two looks at the queue while nothing wakes the deliverer.
        public var poll = Duration.seconds(1)
        public var retries = RetrySchedule()
        /// The pause after `maxRelayFailures` failures in a row that concern the relay, in which no
        /// mail is tried. A single one may be caused by its mail, which must not hold up others
        /// (M9).
        public var relayPause = Duration.seconds(5)
        public var maxRelayFailures = 3
        /// The longest wait of a mail that failed because of the relay.
        public var longestRelayWait = Duration.seconds(60)
        /// Whether a mail that was sent keeps its letter, for the inbox of `onward dev`.
        public var keepsLetters = false
        /// For the pace of projects.
        public var uptime: @Sendable () -> Uptime = { .now }

        public init() {}
    }

    private struct State {
        var running = 0
        var pausedUntil: Uptime?
        /// The failures that concern the relay since a mail last had another result.
        var relayFailures = 0
        var isStoreDown = false
    }

    /// The time between two looks for mails that waited for too long.
    private static let givingUpInterval = Duration.seconds(60)

    private let queue: any Storage
    private let outbox: Outbox
    private let content: @Sendable () -> Content
    private let options: Options
    private let now: Now
    private let confirmed: Now
    private let random: RandomBytes
    private let meters: MailMeters
    private let logger: Logger
    private let state = Locked(State())
    private let wakes: MailWakes
    /// At most `Options.width` mails wait for one.
    private let composers = WorkerPool(label: "onward.letters", width: 2, maxWaiting: .max)

    /// - Parameters:
    ///   - now: the time of reports.
    ///   - confirmed: decides when mails are due, expire and are given up; nil: `now`.
    ///   - wakes: woken when a mail is queued. One deliverer listens to it.
    ///   - content: returns the content of the configuration in force.
    public init(
        queue: any Storage, outbox: Outbox, options: Options = Options(), wakes: MailWakes = MailWakes(), now: @escaping Now,
        confirmed: Now? = nil, random: @escaping RandomBytes, meters: MailMeters = .none, logger: Logger,
        content: @escaping @Sendable () -> Content
    ) {
        self.queue = queue
        self.outbox = outbox
        self.options = options
        self.now = now
        self.confirmed = confirmed ?? now
        self.random = random
        self.meters = meters
        self.logger = logger
        self.content = content
        self.wakes = wakes
    }

    /// Sends until the task is cancelled. Mails that are being sent at that moment are finished.
    public func run() async {
        let ticker = Task { [poll = options.poll] in
            while !Task.isCancelled {
                wakes.look()
                try? await Task.sleep(for: poll)
            }
        }
        await withDiscardingTaskGroup { group in
            var leased: ArraySlice<StoredMail> = []
            var newestUse = Uptime.now
            var last: ProjectID?
            var paces: [ProjectID: TokenBucket] = [:]
            var nextGivingUp = Uptime.now
            for await _ in wakes.stream {
                // Before the first lease, so that no mail of last month is sent after a long stop.
                if Uptime.now >= nextGivingUp {
                    guard await giveUp() else { continue }
                    nextGivingUp = Uptime.now + Self.givingUpInterval
                }
                while !Task.isCancelled, hasRoom() {
                    // Most of a lease has to be left for the transport.
                    if leased.isEmpty || Uptime.now > newestUse {
                        if !leased.isEmpty { await release(Array(leased)) }
                        newestUse = Uptime.now + options.lease / 4
                        leased = await lease(after: last, keeping: &paces)
                    }
                    guard let mail = leased.popFirst() else { break }
                    last = mail.project
                    state.update { $0.running += 1 }
                    group.addTask { await send(mail) }
                }
            }
            await release(Array(leased))
        }
        ticker.cancel()
    }

    /// Gives mails back that were not tried, so that they do not wait for the end of the lease.
    private func release(_ leased: [StoredMail]) async {
        do throws(ActionError) { try await queue.release(leased) } catch {
            logger.error("mails not given back, they wait for the end of their lease", metadata: ["cause": "\(error.cause)"])
        }
    }

    /// Ends mails that waited for too long, also while none are sent.
    /// - Returns: false if the store failed.
    private func giveUp() async -> Bool {
        let moment = confirmed()
        let oldest = Timestamp(milliseconds: moment.milliseconds - options.retries.giveUpAfter.milliseconds)
        do throws(ActionError) {
            var total = 0
            while true {
                let count = try await queue.giveUp(writtenBefore: oldest, keepsLetters: options.keepsLetters, at: moment)
                guard count > 0 else { break }
                total += count
            }
            if total > 0 { logger.warning("mails given up, they waited for too long", metadata: ["count": .stringConvertible(total)]) }
            noteStore(failure: nil)
            return true
        } catch {
            noteStore(failure: error)
            return false
        }
    }

    /// Logs the first failure of the store, and that it works again.
    private func noteStore(failure: ActionError?) {
        let wasDown = state.update { state in
            defer { state.isStoreDown = failure != nil }
            return state.isStoreDown
        }
        if let failure, !wasDown { logger.error("mail queue not readable", metadata: ["cause": "\(failure.cause)"]) }
        if failure == nil, wasDown { logger.notice("mail queue readable again") }
    }

    private func hasRoom() -> Bool {
        let hasTransport = content().transport != nil
        let hasRoom = state.update { state in
            if let end = state.pausedUntil, Uptime.now >= end { state.pausedUntil = nil }
            return hasTransport && state.pausedUntil == nil && state.running < options.width
        }
        wakes.setRoom(hasRoom)
        return hasRoom
    }

    private func lease(after last: ProjectID?, keeping paces: inout [ProjectID: TokenBucket]) async -> ArraySlice<StoredMail> {
        let (moment, uptime) = (confirmed(), options.uptime())
        let content = content()
        let pace: @Sendable (ProjectID) -> Allowance? = { id in
            content.project(id).map { Allowance($0.mail.mailsPerMinute, per: .minutes(1)).share(of: content.nodes) }
        }
        do throws(ActionError) {
            let lease = MailLease(
                limit: options.width, until: moment + options.lease, latest: now(), after: last, keepsLetters: options.keepsLetters
            ) { [paces] id in
                pace(id).map { paces[id, default: TokenBucket()].tokens(of: $0, at: uptime) } ?? .max
            }
            let mails = try await queue.lease(lease, at: moment)
            for id in mails.map(\.project) {
                if let pace = pace(id) { paces[id, default: TokenBucket()].take(of: pace, at: uptime) }
            }
            noteStore(failure: nil)
            return mails[...]
        } catch {
            noteStore(failure: error)
            return []
        }
    }

    private func send(_ mail: StoredMail) async {
        let outcome = await attempt(mail)
        state.update { state in
            state.relayFailures = outcome.verdict == .deferred && outcome.concernsRelay ? state.relayFailures + 1 : 0
            if state.relayFailures >= options.maxRelayFailures { state.pausedUntil = Uptime.now + options.relayPause }
        }
        await record(outcome, of: mail)
        state.update { $0.running -= 1 }
        wakes.look()
    }

    private func attempt(_ mail: StoredMail) async -> DeliveryOutcome {
        let content = content()
        guard let transport = content.transport else {
            return .deferred("mails are not sent at the moment", .notAsked)
        }
        guard let project = content.project(mail.project) else {
            // It may be missing by mistake, or another node may have it already.
            return .deferred("the project \(mail.project) is not configured", .mail)
        }
        do throws(ActionError) {
            let letter = try outbox.open(mail)
            let words = try await compose(letter, for: project, by: content.compose)
            return await transport.send(content.sender.mail(letter, id: mail.id, words, of: project))
        } catch { return .refused(error.cause) }
    }

    /// Composes on a thread of the composers, so that templates that take long keep no request
    /// waiting.
    private func compose(_ letter: Letter, for project: Project, by compose: @escaping Compose) async throws(ActionError) -> RenderedMail {
        do { return try await composers.run { try compose(letter, project) } } catch let error as ActionError { throw error } catch {
            throw .unavailable(Unavailable(.mail, cause: "\(error)"))
        }
    }

    private func record(_ outcome: DeliveryOutcome, of mail: StoredMail) async {
        let moment = now()
        meters.count(outcome, of: mail.kind, after: moment - mail.createdAt)
        var metadata: Logger.Metadata = [
            "mail": "\(mail.id)", "project": "\(mail.project)", "kind": "\(mail.kind.rawValue)",
            "attempt": .stringConvertible(mail.attempts), "answer": "\(outcome.answer)",
        ]
        metadata["relay"] = outcome.relay.map { "\($0)" }
        do throws(ActionError) {
            switch outcome.verdict {
            case .accepted:
                logger.info("mail accepted", metadata: metadata)
                try await queue.end(mail, as: .sent, outcome, keepsLetter: options.keepsLetters, at: moment)
            case .refused:
                logger.warning("mail refused", metadata: metadata)
                try await queue.end(mail, as: .parked, outcome, keepsLetter: true, at: moment)
                if let kind = outcome.feedback { try await note(kind, about: mail, at: moment) }
            case .deferred where confirmed() >= mail.createdAt + options.retries.giveUpAfter:
                logger.warning("mail given up", metadata: metadata)
                try await queue.end(mail, as: .parked, outcome, keepsLetter: true, at: moment)
            case .deferred:
                logger.notice("mail deferred", metadata: metadata)
                let jitter = Double(random(1).first ?? 0) / 255
                var wait = options.retries.wait(afterAttempt: mail.attempts, jitter: jitter)
                if outcome.concernsRelay { wait = min(wait, options.longestRelayWait) }
                // A mail whose link ends is tried again while the link is of use.
                if let end = mail.uselessAfter { wait = min(wait, max(options.retries.first, (end - confirmed()) / 4)) }
                try await queue.postpone(mail, until: confirmed() + wait, outcome)
            }
        } catch {
            // The lease ends, and the mail is tried again.
            logger.error("mail result not recorded", metadata: metadata.merging(["cause": "\(error.cause)"]) { $1 })
        }
    }

    private func note(_ kind: MailFeedback.Kind, about mail: StoredMail, at now: Timestamp) async throws(ActionError) {
        meters.count(kind, from: .relay)
        if kind == .senderRefused {
            logger.error(
                "sender refused by the recipient's provider; register the sender there (Apple: Sign in with Apple for Email)",
                metadata: ["mail": "\(mail.id)", "project": "\(mail.project)"])
        }
        guard let suppression = Suppression(kind, of: mail.recipientDigest, in: mail.project, from: .relay, at: now) else { return }
        _ = try await queue.suppress([suppression], by: nil, at: now)
    }
}
