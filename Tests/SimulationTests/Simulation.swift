import Accounts
import Base
import Foundation
import SQLite
import Store
import Synchronization
import World

/// An installation whose accidents one seed decides: a few users and an admin ask for things, one
/// after another, while the power fails, the disk is full, or a sync fails. The store, the database
/// and everything above are the real ones; the disk below SQLite is simulated.
///
/// After each operation every account is read and compared with what was acknowledged. An operation
/// without an answer may have happened or not, but as a whole.
final class Simulation {
    /// The part of an account that is compared.
    struct AccountState: Hashable {
        var password: String?
        var isVerified = false
        var name: String?
    }

    /// An answer to an operation.
    enum Told: String { case done, refused, notDone = "not done", unknown }

    /// A file system, and the number of syncs that failed on it.
    final class Machine: Sendable {
        let folder: URL
        private let starts = Mutex(0)
        private let syncFailures = Mutex(0)

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "onward-simulation-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            ForgetfulDisk.simulate(below: path)
        }

        deinit {
            ForgetfulDisk.remove(below: path)
            try? FileManager.default.removeItem(at: folder)
        }

        var path: String { folder.appending(path: "\(starts.withLock { $0 }).sqlite").path }
        var mustEnd: Bool { !ForgetfulDisk.hasPower(below: path) || syncFailures.withLock { $0 > 0 } }

        func connect() throws -> SQLiteDatabase {
            try SQLiteDatabase(path: path, onSyncFailure: { self.syncFailures.withLock { $0 += 1 } })
        }

        /// Starts a machine with the content of the disk.
        func restart(deciding decide: (Int) -> Int) throws {
            let old = path
            starts.withLock { $0 += 1 }
            syncFailures.withLock { $0 = 0 }
            try ForgetfulDisk.image(of: old, into: path, deciding: decide)
            ForgetfulDisk.simulate(below: path)
            ForgetfulDisk.remove(below: old)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: old + suffix) }
        }
    }

    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    let seed: UInt64
    private let machine: Machine
    private(set) var world: World
    var generator: Generator
    /// The states that each account may have: several after an operation without an answer.
    var possible: [AccountID: Set<AccountState>] = [:]
    /// The users whose sign-up has no answer.
    var unknownSignUps: Set<AccountID> = []
    /// The codes that were handed out.
    var codes: [(code: OobCode, action: Action, account: AccountID)] = []
    /// The number of acknowledged uses of each code.
    var uses: [OobCode: Int] = [:]
    /// The code of each password that a reset tried to set.
    var resets: [String: OobCode] = [:]
    /// The passwords that resets did set, of each code.
    var effects: [OobCode: Set<String>] = [:]
    /// The ID tokens of sessions that an acknowledged change has ended.
    var ended: [String] = []
    var sessions: [AccountID: [String]] = [:]
    /// The codes whose mails were promised.
    var promised: [OobCode] = []
    /// The hashes of passwords. Each password is set once.
    var hashes: [String: String] = [:]
    private(set) var log: [String] = []
    private(set) var crashes = 0

    init(_ seed: UInt64) async throws {
        let machine = try Machine()
        (self.seed, self.machine, generator) = (seed, machine, Generator(seed: seed))
        world = try await World(connecting: { try machine.connect() })
    }

    /// The log as one number, which is the same for the same seed.
    var digest: UInt64 {
        log.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    func run(operations: Int) async throws {
        for _ in 0..<operations { try await step() }
        try await restart()
        try await check()
    }

    private func step() async throws {
        let accident = arm()
        let operation = try await operate()
        ForgetfulDisk.cutPower(below: machine.path, after: nil)
        setFull(false)
        log.append("\(operation)\(accident)")
        if machine.mustEnd { try await restart() }
        try await check()
    }

    /// Prepares an accident, most often none.
    private func arm() -> String {
        let path = machine.path
        switch generator.next(below: 12) {
        case 0, 1, 2:
            let calls = generator.next(below: 40)
            ForgetfulDisk.cutPower(below: path, after: calls)
            return " (power for \(calls) calls)"
        case 3:
            setFull(true)
            return " (disk full)"
        case 4:
            ForgetfulDisk.failSync(of: path + "-wal", after: 0)
            return " (sync fails)"
        default: return ""
        }
    }

    private func setFull(_ isFull: Bool) {
        for suffix in ["", "-wal"] { ForgetfulDisk.setFull(isFull, for: machine.path + suffix) }
    }

    /// Starts again with what the disk has. The power may fail during the start.
    private func restart() async throws {
        for attempt in 0... {
            crashes += 1
            try machine.restart { generator.next(below: $0) }
            if attempt < 2, generator.next(below: 6) == 0 { ForgetfulDisk.cutPower(below: machine.path, after: generator.next(below: 60)) }
            do { world = try await world.killed() } catch  where machine.mustEnd {
                log.append("restart (power fails)")
                continue
            }
            ForgetfulDisk.cutPower(below: machine.path, after: nil)
            log.append("restart")
            if !machine.mustEnd { return try await checkMails() }
        }
    }

    /// Runs an operation and says what its caller was told. Without power no caller was told
    /// anything but success, which a sync went before.
    func attempt(_ operation: () async throws -> Void) async throws -> Told {
        do {
            try await operation()
            return .done
        } catch let error as ActionError {
            switch error {
            case .refused, .tooSoon: return .refused
            case .unavailable where machine.mustEnd: return .unknown
            case .unavailable(let down): return down.commitState == .notCommitted ? .notDone : .unknown
            }
        }
    }

    func broken(_ sentence: String) -> Broken {
        Broken(description: "\(sentence), after \(log.count) operations of seed \(seed): \(log.joined(separator: ", "))")
    }
}
