import Base
import Foundation
import Synchronization
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A crash while accounts change` {
        /// U5: the server is killed between changes and their delivery, round after round, and the
        /// back end fails half of the time. It is told of every change that was confirmed, and of
        /// each account in order.
        @Test func `loses no event`() async throws {
            let folder = try TemporaryFolder()
            let told = Told()
            let app = try LoopbackServer { told.answer(to: $0) }
            let secret = folder.path + "/events.secret"
            let isWritten = FileManager.default.createFile(
                atPath: secret, contents: Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8), attributes: [.posixPermissions: 0o600])
            #expect(isWritten)
            let events = #"events: [{url: "\#(app.base.origin)/events", secret: {file: "\#(secret)"}}]"#
            var onward = try await ProductionServer(in: folder, more: events)
            defer { onward.program.signal(SIGKILL) }
            let confirmed = Locked<[String: Int]>([:])
            for round in 0..<3 {
                let enough = 10 + round * 7
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask { [onward] in
                            let id = "r\(round)n\(number)"
                            for step in 0..<20 {
                                guard await change(id, step, at: onward) else { return }
                                let count = confirmed.update { confirmed in
                                    confirmed[id] = step
                                    return confirmed.filter { $0.key.hasPrefix("r\(round)") }.values.reduce(0, +)
                                }
                                if count >= enough { onward.program.signal(SIGKILL) }
                            }
                        }
                    }
                }
                onward.program.signal(SIGKILL)
                _ = await onward.program.status
                onward = try await ProductionServer(in: folder, more: events)
            }
            told.isWell.store(true, ordering: .relaxed)
            let expected = confirmed.value
            try await eventually("every confirmed change") {
                let kinds = told.kinds
                return expected.allSatisfy { id, step in kinds[id].map { $0.count > step } ?? false }
            }
            for (id, kinds) in told.kinds {
                let order = kinds.indices.map { $0 == 0 ? "account.created" : $0 % 2 == 1 ? "account.disabled" : "account.enabled" }
                #expect(kinds == order, "\(id)")
            }
        }

        /// The events that the back end has stored, each once.
        private final class Told: Sendable {
            let isWell = Atomic(false)
            private let state = Mutex<(ids: Set<String>, kinds: [String: [String]], count: Int)>(([], [:], 0))

            var kinds: [String: [String]] { state.withLock(\.kinds) }

            func answer(to request: String) -> LoopbackServer.Act {
                let isStored = state.withLock { state in
                    state.count += 1
                    guard isWell.load(ordering: .relaxed) || state.count % 2 == 0,
                        let id = request.firstMatch(of: #/webhook-id: ([\w-]+)/#)?.1,
                        let kind = request.firstMatch(of: #/"type":"([a-z._]+)"/#)?.1,
                        let account = request.firstMatch(of: #/"localId":"(\w+)"/#)?.1
                    else { return false }
                    if state.ids.insert(String(id)).inserted { state.kinds[String(account), default: []].append(String(kind)) }
                    return true
                }
                return .answer(isStored ? 204 : 500, "")
            }
        }

        /// Creates an account, then disables and enables it in turns.
        /// - Returns: whether the server confirmed that.
        private func change(_ id: String, _ step: Int, at onward: ProductionServer) async -> Bool {
            let method = step == 0 ? "accounts" : "accounts:update"
            let body: JSON = step == 0 ? ["localId": .text(id)] : ["localId": .text(id), "disableUser": .bool(step % 2 == 1)]
            let reply = try? await onward.call(method, body, at: onward.adminPort)
            return reply?.status == 200
        }
    }
}
