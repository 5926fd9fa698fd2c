import Foundation
import Synchronization

/// Clients that send the same request again and again, each time on a new connection, while a
/// server is restarted or reloaded.
enum LoadGenerator {
    struct Report: Sendable {
        var replies = 0
        /// One sentence for each failure.
        var objections: [String] = []
    }

    private final class StopSwitch: Sendable {
        let isOn = Mutex(false)
    }

    /// Sends requests for as long as `body` runs.
    /// - Parameter objection: what is wrong with a reply. Default: any status but 200.
    static func run(
        _ path: String, at port: UInt16, clients: Int = 8,
        objection: @escaping @Sendable (HTTP.Reply) -> String? = { $0.status == 200 ? nil : "\($0.status) \($0.body)" },
        while body: () async throws -> Void
    ) async throws -> Report {
        let stop = StopSwitch()
        return try await withThrowingTaskGroup(of: Report.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    try await ClientSocket.blocking {
                        var report = Report()
                        let request = "GET \(path) HTTP/1.1\r\nHost: \(ProductionServer.host)\r\nConnection: close\r\n\r\n"
                        while !stop.isOn.withLock(\.self) {
                            do {
                                let socket = try ClientSocket(port: port)
                                try socket.send(request)
                                let reply = try HTTP.reply(to: "GET", on: socket)
                                if let objection = objection(reply) { report.objections.append(objection) }
                                report.replies += 1
                            } catch { report.objections.append("\(error)") }
                        }
                        return report
                    }
                }
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            stop.isOn.withLock { $0 = true }
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
