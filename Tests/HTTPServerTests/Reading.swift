import HTTPTypes

@testable import HTTPServer

/// What a connection's bytes mean to the parser: the outcome that must not depend on how they were cut.
struct Reading: Equatable, CustomStringConvertible {
    struct Request: Equatable {
        let head: HTTPRequest
        let body: [UInt8]
        let keepsAlive: Bool
    }

    var requests: [Request] = []
    var continues = 0
    var rejection: Rejection?
    /// Whether a request had begun, or something had been left behind a closing one.
    var isCutShort = false

    var isRejected: Bool { rejection != nil }
    /// Nothing was refused, and nothing is missing.
    var isClean: Bool { rejection == nil && !isCutShort }

    /// Reads `bytes` in pieces that end at `cuts`; each piece lies in memory of its own, so that reading beyond it is seen.
    init(_ bytes: [UInt8], cutAt cuts: [Int] = [], limits: ServerOptions.Limits = .init()) {
        var parser = RequestParser(limits: limits)
        var start = 0
        for end in cuts + [bytes.count] {
            feed(Array(bytes[start..<end]), &parser)
            start = end
        }
        if rejection == nil { isCutShort = parser.end() != nil }
    }

    /// Reads `bytes` one by one.
    init(drip bytes: [UInt8], limits: ServerOptions.Limits = .init()) {
        self.init(bytes, cutAt: Array(bytes.indices.dropFirst()), limits: limits)
    }

    private mutating func feed(_ piece: [UInt8], _ parser: inout RequestParser) {
        piece.withUnsafeBufferPointer { piece in
            var input = piece
            while let event = parser.next(&input) {
                switch event {
                case .request(let request):
                    requests.append(Request(head: request.head, body: request.body, keepsAlive: request.keepsAlive))
                case .awaitsContinue: continues += 1
                case .rejected(let rejection): self.rejection = rejection
                }
            }
        }
    }

    var description: String {
        "\(requests.count) requests, \(rejection.map { "rejected: \($0)" } ?? (isCutShort ? "cut short" : "clean"))"
    }
}
