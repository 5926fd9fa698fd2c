import Accounts
import Base
import HTTPTypes
import Logging
import Network
import Testing
import World
@testable import Web

@Suite struct `The routes of mail providers` {
    /// Answers what it is told to, and keeps the requests.
    private final class Receiver: Sendable {
        let requests = Locked<[FeedbackRequest]>([])
        private let answer: FeedbackAnswer?

        /// - Parameter answer: nil: the store is down.
        init(_ answer: FeedbackAnswer?) { self.answer = answer }

        var receive: ReceiveFeedback {
            { [self] (request) throws(ActionError) in
                requests.update { $0.append(request) }
                guard let answer else { throw .unavailable(Unavailable(.store, cause: "the disk is full")) }
                return answer
            }
        }
    }

    private func post(
        _ path: String, to receiver: Receiver, _ body: [UInt8] = Array("{}".utf8), by method: HTTPRequest.Method = .post,
        through listener: ListenerRole = .front, host: String = "auth.example"
    ) async throws -> (response: HTTPResponse, body: [UInt8]) {
        let api = try await API([.production], feedback: receiver.receive)
        var head = HTTPRequest(method: method, scheme: "https", authority: host, path: path)
        head.headerFields[HTTPField.Name("webhook-id")!] = "message-1"
        return await api.site.respond(to: head, body, from: "192.0.2.7", through: listener)
    }

    static let providers = FeedbackProvider.allCases.filter { $0 != .relay }

    @Test(arguments: providers) func `hand a request to its provider`(provider: FeedbackProvider) async throws {
        let receiver = Receiver(.accepted)
        let answer = try await post("/v1/projects/shop/mail-feedback/\(provider.rawValue)", to: receiver, Array("body".utf8))
        #expect(answer.response.status == .ok && answer.body.isEmpty)
        let request = try #require(receiver.requests.value.first)
        #expect(request.provider == provider && request.project == ProjectID(rawValue: "shop") && request.body == Array("body".utf8))
        #expect(request.field("Webhook-Id") == "message-1" && request.field("not a name") == nil)
    }

    @Test(arguments: [(FeedbackAnswer.unauthentic, 401), (.malformed, 400), (nil, 503)] as [(FeedbackAnswer?, Int)])
    func `answer with a status that providers understand`(answer: FeedbackAnswer?, status: Int) async throws {
        let reply = try await post("/v1/projects/shop/mail-feedback/sns", to: Receiver(answer))
        #expect(reply.response.status.code == status)
        #expect((reply.response.headerFields[.wwwAuthenticate] != nil) == (status == 401))
        #expect((reply.response.headerFields[.retryAfter] != nil) == (status == 503))
    }

    /// B1: without a proof nothing is told, not even whether the project exists.
    @Test func `answer alike for every project`() async throws {
        for answer in [FeedbackAnswer.unauthentic, .accepted] {
            var replies: [(response: HTTPResponse, body: [UInt8])] = []
            for project in ["shop", "nowhere"] {
                replies.append(try await post("/v1/projects/\(project)/mail-feedback/plain", to: Receiver(answer)))
            }
            #expect(replies[0].response == replies[1].response && replies[0].body == replies[1].body)
        }
    }

    /// V3: a body that no provider sends is not read as one.
    @Test(arguments: providers) func `take no body that is too large`(provider: FeedbackProvider) async throws {
        let receiver = Receiver(.accepted)
        let path = "/v1/projects/shop/mail-feedback/\(provider.rawValue)"
        let limit = provider == .sendgrid ? 1 << 20 : 64 << 10
        #expect(try await post(path, to: receiver, [UInt8](repeating: 32, count: limit)).response.status == .ok)
        #expect(try await post(path, to: receiver, [UInt8](repeating: 32, count: limit + 1)).response.status == .contentTooLarge)
        #expect(receiver.requests.value.count == 1)
    }

    @Test func `are nowhere else`() async throws {
        let receiver = Receiver(.accepted)
        let path = "/v1/projects/shop/mail-feedback/plain"
        for wrong in [
            "/v1/projects/shop/mail-feedback/relay", "/v1/projects/shop/mail-feedback/", "/v1/projects/shop/mail-feedback/plain/",
            "/v1/projects//mail-feedback/plain", "/v1/projects/a%20b/mail-feedback/plain", "/v1/projects/a/b/mail-feedback/plain",
            "/identitytoolkit.googleapis.com" + path, "/v2/projects/shop/mail-feedback/plain", "/v1/projects/shop/mail-Feedback/plain",
        ] { #expect(try await post(wrong, to: receiver).response.status == .notFound, "\(wrong)") }
        #expect(try await post(path, to: receiver, by: .get).response.status == .methodNotAllowed)
        #expect(try await post(path, to: receiver, host: "links.example").response.status == .notFound)
        #expect(try await post(path, to: receiver, through: .admin, host: "127.0.0.1").response.status == .notFound)
        #expect(receiver.requests.value.isEmpty)
    }
}
