import Foundation
import Synchronization

/// Many who ask the same again and again, each time on a new connection.
enum Crowd {
    struct Report: Sendable {
        var replies = 0
        /// What went wrong, in words.
        var objections: [String] = []
    }

    private final class Over: Sendable {
        let isIt = Mutex(false)
    }

    /// Lets them ask while `scene` plays.
    /// - Parameter objection: to a reply; default: to any but 200.
    static func asks(
        _ path: String, at port: UInt16, clients: Int = 8,
        objection: @escaping @Sendable (HTTP.Reply) -> String? = { $0.status == 200 ? nil : "\($0.status) \($0.body)" },
        while scene: () async throws -> Void
    ) async throws -> Report {
        let over = Over()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    try await Connection.blocking {
                        var report = Report()
                        let request = "GET \(path) HTTP/1.1\r\nHost: \(Production.host)\r\nConnection: close\r\n\r\n"
                        while !over.isIt.withLock(\.self) {
                            do {
                                let connection = try Connection(port: port)
                                try connection.send(request)
                                let reply = try HTTP.reply(to: "GET", on: connection)
                                if let said = objection(reply) { report.objections.append(said) }
                                report.replies += 1
                            } catch { report.objections.append("\(error)") }
                        }
                        return report
                    }
                }
            }
            let result: Result<Void, any Error>
            do { result = .success(try await scene()) } catch { result = .failure(error) }
            over.isIt.withLock { $0 = true }
            var report = Report()
            for try await one in group {
                report.replies += one.replies
                report.objections += one.objections
            }
            try result.get()
            return report
        }
    }
}
