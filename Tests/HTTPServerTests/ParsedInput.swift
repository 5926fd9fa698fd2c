import HTTPTypes
@testable import HTTPServer

/// The parser's result for the bytes of a connection, which must not depend on how they are
/// divided.
struct ParsedInput: Equatable, CustomStringConvertible {
    struct Request: Equatable {
        let head: HTTPRequest
        let body: [UInt8]
        let keepsAlive: Bool
    }

    var requests: [Request] = []
    var continues = 0
    var rejection: Rejection?
    /// Whether the input ended within a request.
    var isCutShort = false

    var isRejected: Bool { rejection != nil }
    /// Whether nothing was rejected and nothing is missing.
    var isClean: Bool { rejection == nil && !isCutShort }

    /// Parses `bytes` in pieces that end at `cuts`, and admits every body. Each piece has memory of
    /// its own, so that sanitizers notice a read beyond it.
    init(_ bytes: [UInt8], cutAt cuts: [Int] = [], limits: ServerOptions.SizeLimits = .init()) {
        var parser = RequestParser(limits: limits)
        var start = 0
        for end in cuts + [bytes.count] {
            feed(Array(bytes[start..<end]), &parser)
            start = end
        }
        if rejection == nil { isCutShort = parser.end() != nil }
    }

    /// Parses `bytes` one by one.
    init(drip bytes: [UInt8], limits: ServerOptions.SizeLimits = .init()) {
        self.init(bytes, cutAt: Array(bytes.indices.dropFirst()), limits: limits)
    }

    private mutating func feed(_ piece: [UInt8], _ parser: inout RequestParser) {
        piece.withUnsafeBufferPointer { piece in
            var input = piece
            while let event = parser.next(&input) {
                switch event {
                case .request(let request):
                    requests.append(Request(head: request.head, body: request.body, keepsAlive: request.keepsAlive))
                case .body(let announced):
                    if announced.awaitsContinue { continues += 1 }
                    if case .rejected(let rejection) = parser.readBody(atMost: .max) { self.rejection = rejection }
                case .rejected(let rejection): self.rejection = rejection
                }
            }
        }
    }

    var description: String {
        "\(requests.count) requests, \(rejection.map { "rejected: \($0)" } ?? (isCutShort ? "cut short" : "clean"))"
    }
}
