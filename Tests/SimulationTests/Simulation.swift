import Accounts
import Base
import Foundation
import Logging
import Network
import Store
import World

@testable import Server

/// An installation whose accidents one seed decides: users, an admin, the deliverer of mails and an
/// operator do things, up to three at the same time, while the power fails, the disk is full, a
/// sync fails, a relay loses answers and the clock jumps. The store, the database and everything
/// above are the real ones; the disk below SQLite is simulated.
///
/// After each step every account is read and compared with what was acknowledged. A call without an
/// answer may have happened or not, but as a whole.
final class Simulation {
    /// The part of an account that is compared.
    struct AccountState: Hashable {
        var email: String
        var password: String?
        var isVerified = false
        var name: String?
        var factors: Set<Addition> = []
        var phone: Addition?
        /// Whether the user's account at the provider is linked.
        var isLinked = false
    }

    /// An authenticator app or a phone number that was added to an account.
    struct Addition: Hashable {
        let name: String
        /// The number of calls before those that it was added with.
        let after: Int
    }

    /// An answer to a call.
    enum Told: String { case done, refused, notDone = "not done", unknown }

    /// Something that a caller has after a call that was done.
    enum Gain: Sendable {
        case nothing
        case code(IssuedCode)
        case text(IssuedVerificationCode)
        case session(Session)
        /// The proofs of the new factor, and of the one that the user signed in with.
        case enrolled(proofs: [String])
        case destination(Destination)
        case upstream(UpstreamAnswer)
    }

    /// A call with everything that it will do decided.
    struct Call: Sendable {
        let name: String
        /// The account that it is about.
        var account: AccountID?
        /// The states that the account may have after it; none if it cannot be done. Nil if it
        /// changes nothing.
        var change: (@Sendable (AccountState) -> [AccountState])?
        var ending = Ending.nothing
        /// The code that it applies, by its number.
        var applies: Int?
        /// The text message whose code it uses, by its number.
        var texted: Int?
        /// The password that it sets.
        var password: String?
        /// The name of the factor that it enrols.
        var enrolls: String?
        /// The code of the upstream that it applies.
        var follows: OobCode?
        var run: @Sendable (_ accounts: Accounts, _ store: TurnedStorage) async throws(ActionError) -> Gain

        var use: Use? { applies.map(Use.code) ?? texted.map(Use.text) }
    }

    /// Whether a call ends all sessions and links of an account but undo links.
    enum Ending { case nothing, all, allIfUnverified }

    /// The use of a code of a link or of a text message, by its number.
    enum Use: Equatable { case code(Int), text(Int) }

    /// A code that a phone was sent.
    struct Text: Sendable {
        let account: AccountID
        let issued: IssuedVerificationCode
        var uses = 0
        var hasEnded = false
    }

    /// A code that was handed out or mailed.
    struct Code {
        let code: OobCode
        let action: Action
        let account: AccountID
        let recipient: String
        /// Nil if only its mail tells of it.
        var expiresAt: Timestamp?
        /// The number of acknowledged uses.
        var uses = 0
        /// The number of calls up to and with its step.
        var sentIn = 0
        /// The number of calls before its step, and the time then.
        var after = 0
        var madeAfter = Timestamp(milliseconds: 0)
        /// The name of the second factor that it removes.
        var factor: String?
        /// The passwords that it did set.
        var effects: Set<String> = []
        /// Whether something has ended it.
        var hasEnded = false

        /// Whether its use ends the sessions and links of the account, for a verified address too.
        var endsOthers: Bool { ![.verifyEmail, .signIn].contains(action) }
    }

    /// Something that must be true is not.
    struct Broken: Error, CustomStringConvertible {
        let sentence: String
        let history: [String]

        var description: String { "\(sentence), after: \(history.joined(separator: ", "))" }
    }

    let seed: UInt64
    /// The number of steps with one accident, on average. In some seeds accidents are rare, so that
    /// much happens between two of them.
    private let stepsPerAccident: Int
    let machine: SimulatedMachine
    var world: World
    /// The clock of the installation, which does not follow each jump of the machine's.
    var clock: HighWaterClock
    private var watch: ClockWatch
    var generator: Generator
    let relay: SimulatedRelay
    let endpoint: SimulatedEndpoint
    let phones = SimulatedPhones()
    let upstream: SimulatedUpstream
    var upstreamCodes: [OobCode] = []
    /// The codes of the upstream whose presses are not known, because the database was replaced or
    /// they were purged.
    var forgotten: Set<OobCode> = []
    /// The states that each account may have: several after a call without an answer.
    var possible: [AccountID: Set<AccountState>] = [:]
    /// The users whose sign-up has no answer.
    var unknownSignUps: Set<AccountID> = []
    var codes: [Code] = []
    var texts: [Text] = []
    /// The code that must work if it is used next, because it was the last thing that happened.
    var mustWork: Use?
    /// The ID tokens of sessions, and those of sessions that an acknowledged change has ended.
    var sessions: [AccountID: [(token: String, after: Timestamp)]] = [:]
    var ended: [String] = []
    var newlyEnded = 0
    /// The session that the last step has opened.
    var newSession: String?
    /// The proofs of second factors.
    var proofs: Set<String> = []
    /// The factor that the last step has enrolled.
    var newFactor: (account: AccountID, name: String)?
    /// The codes whose mails were promised and have not ended.
    var promised: Set<OobCode> = []
    /// The number of resets of each account that an endpoint is told.
    var resets: [AccountID: Int] = [:]
    /// The mails with links.
    var mails: [OobCode: MailID] = [:]
    /// The codes whose mails may be sent twice, because something happened.
    var mayRepeat: Set<OobCode> = []
    /// The latest time that the installation has seen.
    var latest = Timestamp(milliseconds: 0)
    /// The time when the clock was looked at last.
    private var lookedAt = Timestamp(milliseconds: 0)
    /// The number of steps in which the server does not look at the clock.
    var stepsUntilLook = 0
    /// How often an operator had accepted the clock then.
    private var acceptances = 0
    /// The time before the last step.
    var stepStart = Timestamp(milliseconds: 0)
    /// The proved address that the last step has replaced.
    var leftAddress: (account: AccountID, email: String)?
    /// A press without an answer, and whether it has happened.
    var unsure: (code: Int, ending: Ending, hasHappened: (AccountState) -> Bool)?
    /// The code of each password that a reset tried to set.
    var passwords: [String: Int] = [:]
    /// The names that audit records tell of.
    var audited: Set<String> = []
    /// The hashes of passwords. Each password is set once.
    var hashes: [String: String] = [:]
    /// The backup, with the states of its accounts.
    var backup: (states: [AccountID: Set<AccountState>], file: String)?
    var secretNumber: UInt8 = 7
    var isChangingSecret = false
    /// Whether links may lead to `exact.example`.
    var isExactAllowed = true
    /// The number of names, passwords and addresses that calls have set.
    var numbers = 0
    var log: [String] = []
    var crashes = 0
    var calls = 0
    /// The number of calls before those of the last step.
    var callsBefore = 0
    /// The number of calls before the time last went back.
    var callsBeforeJump = 0
    /// The number of calls that were done, by their names.
    var done: [String: Int] = [:]

    init(_ seed: UInt64) async throws {
        let machine = try SimulatedMachine()
        (self.seed, self.machine, generator) = (seed, machine, Generator(seed: seed))
        var rarity = Generator(seed: seed ^ 0xacc1)
        stepsPerAccident = [2, 2, 12, 60][rarity.next(below: 4)]
        relay = SimulatedRelay(deciding: Generator(seed: seed ^ 0x5eed))
        endpoint = SimulatedEndpoint(deciding: Generator(seed: seed ^ 0xe4d))
        upstream = SimulatedUpstream(deciding: Generator(seed: seed ^ 0x0b5e))
        world = try await World(connecting: { try machine.connect() })
        clock = HighWaterClock(after: nil, wall: world.clock.now, uptime: world.clock.uptime)
        watch = Self.watch(clock, world)
        world.project.signUps = .closed
        world.project.textMessages = TextMessageSettings(callingCodes: ["+"])
        world = try await world.restarted(with: secrets).timed(by: clock.now)
        recordEvents()
    }

    private static func watch(_ clock: HighWaterClock, _ world: World) -> ClockWatch {
        ClockWatch(clock: clock, store: world.store, logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The log as one number, which is the same for the same seed.
    var digest: UInt64 {
        log.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Plays that many steps, and then lets every mail end. A step is decided by the seed, its
    /// number and what is there, so that other steps can be left out.
    func run(steps: Int, without omitted: Set<Int> = []) async throws {
        for number in 0..<steps where !omitted.contains(number) {
            generator = Generator(seed: seed &+ UInt64(number) &* 0x9e37_79b9)
            try await step()
        }
        try await restart()
        try await check()
        try await endMails()
        try await endEvents()
        try await endFollowing()
    }

    private func step() async throws {
        // Nothing happens at the same time as in the step before.
        world.clock.advance(by: .milliseconds(1))
        if generator.next(below: 12) == 0 { return try await operate() }
        let batch = (0..<[1, 1, 1, 2, 2, 3][generator.next(below: 6)]).map { _ in call() }
        callsBefore = calls
        calls += batch.count
        let accident = arm()
        stepStart = world.now()
        let facts = batch.map { $0.follows.map(upstream.facts) }
        let answers = await answers(to: batch)
        machine.disarm()
        log.append(zip(batch, answers).map { "\($0.name): \($1.told.rawValue)" }.joined(separator: " | ") + accident)
        (latest, lookedAt) = (max(latest, world.now()), max(lookedAt, world.now()))
        let mailsMayRepeat = !accident.isEmpty || world.now() - stepStart >= .seconds(60)
        try learn(batch, answers, hadAccident: !accident.isEmpty)
        for (number, call) in batch.enumerated() {
            guard let code = call.follows, let before = facts[number] else { continue }
            try learn(answers[number], of: code, before: before, isAlone: batch.count == 1)
        }
        if machine.mustEnd { try await restart() }
        try await keepTime()
        if mailsMayRepeat { mayRepeat.formUnion(promised) }
        try await check()
        if mailsMayRepeat { mayRepeat.formUnion(promised) }
    }

    /// Prepares an accident or none, and returns its name.
    func arm() -> String { machine.arm(oneIn: stepsPerAccident) { generator.next(below: $0) } }

    /// Makes the calls at the same time.
    private func answers(to batch: [Call]) async -> [(told: Told, gain: Gain)] {
        let (world, machine, upstream) = (world, machine, upstream)
        return await Interleaving.run(
            batch.map { call in
                { wait in
                    let store = TurnedStorage(base: world.store, wait: wait)
                    let accounts = world.accounts(
                        signedWith: nil, store: store, turns: TurnQueue(width: 8, maxWaiting: 8),
                        upstreams: { _ in TurnedUpstream(base: upstream, wait: wait) })
                    return await Self.attempt(on: machine) { () throws(ActionError) in try await call.run(accounts, store) }
                }
            },
            deciding: Generator(seed: UInt64(generator.next(below: 1 << 30))), on: world.clock)
    }

    /// Makes a call and says what its caller was told. Without power no caller was told anything
    /// but success, which a sync went before.
    private static func attempt(
        on machine: SimulatedMachine, _ call: () async throws(ActionError) -> Gain
    ) async -> (told: Told, gain: Gain) {
        do throws(ActionError) { return (.done, try await call()) } catch {
            switch error {
            case .refused, .tooSoon: return (.refused, .nothing)
            case .unavailable where machine.mustEnd: return (.unknown, .nothing)
            case .unavailable(let down): return (down.commitState == .notCommitted ? .notDone : .unknown, .nothing)
            }
        }
    }

    /// Starts again with what the disk has. The power may fail during the start.
    func restart() async throws {
        mustWork = nil
        mayRepeat.formUnion(promised)
        audited = []
        // A process that was killed leaves what it has written.
        let wasKilled = generator.next(below: 4) == 0
        for attempt in 0... {
            crashes += 1
            try machine.restart { wasKilled ? $0 - 1 : generator.next(below: $0) }
            if attempt < 2, generator.next(below: 6) == 0 { machine.cutPower(after: generator.next(below: 60)) }
            do { try await start() } catch  where machine.mustEnd {
                log.append("restart (power fails)")
                continue
            }
            machine.cutPower(after: nil)
            log.append(wasKilled ? "killed" : "restart")
            if !machine.mustEnd { return }
        }
    }

    func start() async throws {
        world = try await world.killed()
        world = try await world.restarted(with: secrets)
        clock = HighWaterClock(after: try await world.store.clockMark(), wall: world.clock.now, uptime: world.clock.uptime)
        world = world.timed(by: clock.now)
        watch = Self.watch(clock, world)
        recordEvents()
    }

    private func recordEvents() {
        world.store.tell([EventEndpoint(url: World.endpoint, kinds: nil)], now: world.now, random: world.random.bytes)
    }

    /// Keeps the stored mark of the clock up to date, as the server does. If a clock that was ahead
    /// is set back, an operator accepts it, as the log says.
    func keepTime() async throws {
        guard stepsUntilLook == 0 else { return stepsUntilLook -= 1 }
        try await watch.look()
        var found = try await world.store.clockMark()?.acceptances ?? 0
        if lookedAt - world.now() > HighWaterClock.maxStep, found == acceptances {
            try await world.store.acceptClock(at: world.clock.now())
            try await learnThatAllHasEnded(after: world.clock.now())
            try await watch.look()
            found += 1
        }
        if world.now() < lookedAt { (mustWork, newSession, callsBeforeJump) = (nil, nil, calls) }
        if found != acceptances {
            try await learnMails()
            try await world.store.endWhatWasWrittenAhead(at: world.clock.now())
            try await learnThatAllHasEnded(after: world.clock.now() + HighWaterClock.maxStep)
        }
        (lookedAt, acceptances) = (world.now(), found)
    }

    /// An acceptance ends what was made after the present time, except undo links.
    func learnThatAllHasEnded(after moment: Timestamp) async throws {
        // Moments are set back, so what was earlier may be at the same time now.
        callsBeforeJump = calls
        for code in promised {
            guard let id = mails[code], try await world.store.mailRecord(id, at: moment) == nil else { continue }
            guard try await !isLive(code) else { throw broken("the mail of a live link is dropped") }
            promised.remove(code)
        }
        for number in codes.indices where codes[number].madeAfter > moment && codes[number].uses == 0 && !codes[number].action.isUndo {
            codes[number].hasEnded = true
        }
        for number in texts.indices where texts[number].issued.expiresAt > moment + VerificationCode.lifetime {
            texts[number].hasEnded = true
        }
        for (user, opened) in sessions {
            end(opened.filter { $0.after > moment }.map(\.token))
            sessions[user] = opened.filter { $0.after <= moment }
        }
    }

    private func isLive(_ code: OobCode) async throws -> Bool {
        if case .live = try await world.accounts.inspect(code, in: world.project) { true } else { false }
    }

    func broken(_ sentence: String) -> Broken { Broken(sentence: sentence, history: log) }
}
