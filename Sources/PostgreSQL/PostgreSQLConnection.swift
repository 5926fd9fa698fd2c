internal import Base
internal import CPostgreSQL
internal import Foundation
internal import Store

/// One open connection to a server. Statements are sent in libpq's pipeline mode: several of them
/// cost one round trip.
final class PostgreSQLConnection: Sendable {
    /// A result that the server still owes.
    private enum Expected {
        case prepared(StatementKey)
        case reply
        case end
    }

    private struct State {
        var expected: [Expected] = []
        /// The number of pipelines at the front of `expected` whose results are discarded.
        var unneededPipelines = 0
        /// The statements that were prepared, by their SQL, which is constant in the program, so
        /// there are few. The value is their name on the server.
        var names: [StatementKey: String] = [:]
        var nameCount = 0
        /// The SQL with the server's placeholders.
        var numbered: [StatementKey: String] = [:]
        var slot = CommitSlot()
        /// Whether rows of ended connections are still to be deleted.
        var isPurging = true
    }

    // libpq's connection and `state` belong to one caller at a time, who took this from the pool.
    private nonisolated(unsafe) let handle: OpaquePointer
    private nonisolated(unsafe) var state = State()
    private let options: PostgreSQLDatabase.Options
    private let openedAt = Uptime.now
    /// How often connections had been dropped when this one was opened.
    let dropsBefore: Int64

    /// The age from which on a connection is replaced, so that a new primary, another password or a
    /// balancer's choice take effect.
    private static let longestLife = Duration.seconds(1800)

    /// Connects, and blocks until then.
    init(_ options: PostgreSQLDatabase.Options, after drops: Int64 = 0) throws(ServerFailure) {
        (self.options, dropsBefore) = (options, drops)
        let parameters = ConnectionParameters(options)
        guard let handle = parameters.connect() else { throw .lost(cause: "no memory for a connection") }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else { throw .lost(cause: Self.message(of: handle)) }
        guard parameter("server_encoding") == "UTF8" else { throw .lost(cause: "the encoding of the database is not UTF8") }
        // Deadlines are kept by `poll`. A notice would be written to the standard error.
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw .lost(cause: Self.message(of: handle)) }
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// The first line of libpq's message. It names the host and the user, and no password.
    private static func message(of handle: OpaquePointer) -> String {
        let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
        return lines.first.map(String.init) ?? "the connection ended"
    }

    /// A setting that the server reports by itself.
    func parameter(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    var isOld: Bool { .now - openedAt > Self.longestLife }

    /// The row that tells which transactions of this connection were committed.
    var slot: CommitSlot { state.slot }

    /// Notes a commit.
    func advanceSlot() {
        state.slot.advance()
        guard state.isPurging else { return }
        state.isPurging = false
        try? sendOnly([CommitSlot.purge])
    }

    /// Runs statements in one round trip. If one fails, those after it are not run.
    /// - Parameter latest: the end of the wait for the answers, if that is before the usual one.
    func run(_ statements: [Statement], until latest: Uptime? = nil) throws(ServerFailure) -> [ServerReply] {
        let usual = Uptime.now + options.deadlines.response
        let deadline = min(latest ?? usual, usual)
        try send(statements, until: deadline)
        while state.unneededPipelines > 0 {
            state.unneededPipelines -= 1
            _ = try? replies(until: deadline)
        }
        return try replies(until: deadline)
    }

    /// Sends statements whose results are not needed.
    func sendOnly(_ statements: [Statement]) throws(ServerFailure) {
        state.unneededPipelines += 1
        try send(statements, until: .now + options.deadlines.response)
    }

    // MARK: Sending

    /// Sends statements as one pipeline: those after one that fails are not run.
    private func send(_ statements: [Statement], until deadline: Uptime) throws(ServerFailure) {
        for statement in statements { try send(statement) }
        guard PQpipelineSync(handle) == 1 else { throw lost }
        state.expected.append(.end)
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1: try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
            default: throw lost
            }
        }
    }

    private func send(_ statement: Statement) throws(ServerFailure) {
        let parameters = StatementParameters(statement.arguments)
        let key = StatementKey(sql: statement.sql)
        let isSent: Bool
        if options.usesNamedStatements {
            let name = try preparedName(of: key)
            isSent = parameters.withPointers { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) == 1 }
        } else {
            let sql = numbered(key)
            isSent = parameters.withPointers { PQsendQueryParams(handle, sql, $0, nil, $1, $2, $3, 1) == 1 }
        }
        guard isSent else { throw lost }
        state.expected.append(.reply)
    }

    private func preparedName(of key: StatementKey) throws(ServerFailure) -> String {
        if let name = state.names[key] { return name }
        let name = "onward_\(state.nameCount)"
        state.nameCount += 1
        guard PQsendPrepare(handle, name, Statement.numberingPlaceholders(in: key.sql), 0, nil) == 1 else { throw lost }
        state.names[key] = name
        state.expected.append(.prepared(key))
        return name
    }

    private func numbered(_ key: StatementKey) -> String {
        if let sql = state.numbered[key] { return sql }
        let sql = Statement.numberingPlaceholders(in: key.sql)
        state.numbered[key] = sql
        return sql
    }

    // MARK: Receiving

    /// Reads the results of one pipeline.
    private func replies(until deadline: Uptime) throws(ServerFailure) -> [ServerReply] {
        var replies: [ServerReply] = []
        var failure: ServerFailure?
        while !state.expected.isEmpty {
            let expected = state.expected.removeFirst()
            guard let result = try next(until: deadline) else { throw .lost(cause: "an answer is missing") }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                guard case .end = expected else { throw .lost(cause: "an answer is out of order") }
                if let failure { throw failure }
                return replies
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if case .reply = expected {
                    do throws(SQLFailure) { replies.append(try ServerReply(result)) } catch {
                        failure = failure ?? .lost(cause: error.cause)
                    }
                }
            case PGRES_PIPELINE_ABORTED:
                forget(expected)
            default:
                forget(expected)
                failure = failure ?? ServerFailure(result)
            }
            // libpq ends the results of each statement with a null.
            guard try next(until: deadline) == nil else { throw .lost(cause: "an answer is out of order") }
        }
        throw .lost(cause: "an answer is missing")
    }

    /// A statement that the server did not prepare, because one before it failed or because it is
    /// wrong.
    private func forget(_ expected: Expected) {
        if case .prepared(let key) = expected { state.names[key] = nil }
    }

    private func next(until deadline: Uptime) throws(ServerFailure) -> OpaquePointer? {
        while PQisBusy(handle) == 1 { try wait(for: Int16(POLLIN), until: deadline) }
        let result = PQgetResult(handle)
        guard result != nil || PQstatus(handle) == CONNECTION_OK else { throw lost }
        return result
    }

    /// Waits until the socket is ready, and reads what has arrived.
    private func wait(for events: Int16, until deadline: Uptime) throws(ServerFailure) {
        let remaining = max(0, (deadline - .now).milliseconds)
        var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
        let count = poll(&descriptor, 1, Int32(clamping: remaining))
        guard count != 0 else { throw .lost(cause: "the server has not answered in time") }
        guard count > 0 || errno == EINTR else { throw .lost(cause: "poll failed with error \(errno)") }
        if count > 0, descriptor.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0, PQconsumeInput(handle) != 1 { throw lost }
    }

    private var lost: ServerFailure { .lost(cause: Self.message(of: handle)) }
}
