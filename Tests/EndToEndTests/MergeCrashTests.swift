import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A crash while accounts are merged` {
        /// U2: the server is killed while it merges, round after round on the same data. Each pair
        /// is merged whole or not at all, and what was confirmed stays.
        @Test func `leaves two accounts or one, never a part`() async throws {
            let folder = try TemporaryFolder()
            var onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            for round in 0..<3 {
                let pairs = try await prepare(20, at: onward)
                let answered = Answered()
                let enough = 3 + round * 4
                await withTaskGroup(of: Void.self) { group in
                    for (number, pair) in pairs.enumerated() {
                        group.addTask { [onward] in
                            let reply = try? await merge(pair, at: onward.origin)
                            guard reply?.status == 200, await answered.add(number) == enough else { return }
                            onward.program.signal(SIGKILL)
                        }
                    }
                }
                await onward.kill()
                onward = try await DevServer(in: folder)
                let (api, confirmed) = (API(origin: onward.origin), await answered.numbers)
                for (number, pair) in pairs.enumerated() {
                    let into = try await api.account(pair.into.id)
                    let from = try await api.get("lookup", ["localId": [.text(pair.from.id)]], asAdmin: true)["users"].list
                    let hasProvider = into["providerUserInfo"].list.contains { $0["providerId"].text == "google.com" }
                    #expect(hasProvider == from.isEmpty, "round \(round), pair \(number)")
                    #expect(from.isEmpty || !confirmed.contains(number), "round \(round), pair \(number)")
                    // What was not done can be done now.
                    if !from.isEmpty { #expect(try await merge(pair, at: onward.origin).status == 200) }
                }
            }
        }

        private struct Pair: Sendable {
            let into, from: API.Account
        }

        private actor Answered {
            private(set) var numbers: Set<Int> = []
            func add(_ number: Int) -> Int {
                numbers.insert(number)
                return numbers.count
            }
        }

        private func prepare(_ count: Int, at onward: DevServer) async throws -> [Pair] {
            let api = API(origin: onward.origin)
            var pairs: [Pair] = []
            for _ in 0..<count {
                let pair = Pair(into: try await api.signUp(), from: try await api.signUp())
                try await api.get(
                    "update",
                    [
                        "localId": .text(pair.from.id),
                        "linkProviderUserInfo": ["providerId": "google.com", "rawId": .text(UUID().uuidString)],
                    ], asAdmin: true)
                pairs.append(pair)
            }
            return pairs
        }

        private func merge(_ pair: Pair, at origin: String) async throws -> HTTP.Reply {
            try await HTTP.send(
                "POST", "\(origin)/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:merge",
                json: ["localId": .text(pair.into.id), "fromLocalId": .text(pair.from.id)], headers: ["Authorization": "Bearer owner"])
        }
    }
}
