import HTTPTypes
import World
@testable import Web

extension Site {
    /// The response to a request with this body.
    func respond(
        to head: HTTPRequest, _ body: [UInt8], from peer: String, through listener: ListenerRole
    ) async -> (HTTPResponse, [UInt8]) {
        await accept(head, bodyLength: body.count, from: peer, through: listener).response(to: body)
    }
}
