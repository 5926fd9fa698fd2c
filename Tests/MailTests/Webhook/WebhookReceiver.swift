import Base
import HTTPServer
import HTTPTypes
import Synchronization
import Testing
import World

/// A receiver that answers with one status after another, the last again and again.
final class WebhookReceiver: Sendable {
    struct Request: Sendable {
        let fields: HTTPFields
        let method: HTTPRequest.Method
        let body: [UInt8]
    }

    private let handler: Handler
    private let server: HTTPServer
    let url: WebURL

    init(_ statuses: [Int], location: String? = nil) async throws {
        let handler = Handler(statuses, location)
        self.handler = handler
        server = HTTPServer(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], logger: .silent) { request, body, _ in
            handler.respond(to: request, body)
        }
        let port = try #require(try await server.start().first).port
        url = try WebURL("http://127.0.0.1:\(port)/mails?key=1")
    }

    var all: [Request] { handler.requests.withLock { $0 } }

    func stop() async { await server.stop() }

    final class Handler: Sendable {
        let requests = Mutex<[Request]>([])
        private let statuses: [Int]
        private let location: String?

        init(_ statuses: [Int], _ location: String?) { (self.statuses, self.location) = (statuses, location) }

        func respond(to request: HTTPRequest, _ body: [UInt8]) -> (HTTPResponse, [UInt8]) {
            let count = requests.withLock {
                $0.append(Request(fields: request.headerFields, method: request.method, body: body))
                return $0.count
            }
            var response = HTTPResponse(status: .init(code: statuses[min(count, statuses.count) - 1]))
            if let location { response.headerFields[.location] = location }
            return (response, Array("the body may repeat https://auth.shop.example/__/auth/action?oobCode=secret".utf8))
        }
    }
}
