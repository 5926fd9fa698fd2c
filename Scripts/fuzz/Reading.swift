import HTTPTypes

/// The events of the parser for some bytes, as text that can be compared.
func reading(_ bytes: UnsafeBytes, pieces: [Int], limits: ServerOptions.SizeLimits) -> [String] {
    var parser = RequestParser(limits: limits)
    var said: [String] = []
    var start = 0
    var turn = 0
    while start < bytes.count {
        let end = pieces.isEmpty ? bytes.count : min(bytes.count, start + pieces[turn % pieces.count])
        turn += 1
        // Memory of its own, so that AddressSanitizer sees a step beyond the piece.
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: end - start)
        defer { piece.deallocate() }
        _ = piece.initialize(from: bytes[start..<end])
        var input = UnsafeBytes(piece)
        while let event = parser.next(&input) {
            said.append(text(event, limits))
            if case .body = event {
                if let event = parser.readBody(atMost: .max) { preconditionFailure("an announced body is within the limits: \(event)") }
            }
        }
        precondition(input.isEmpty, "bytes were left behind without an event")
        start = end
    }
    if let event = parser.end() { said.append(text(event, limits)) }
    return said
}

func text(_ event: RequestParser.Event, _ limits: ServerOptions.SizeLimits) -> String {
    switch event {
    case .body(let announced): return "\(announced.head) \(announced.length ?? -1) \(announced.awaitsContinue)"
    case .rejected(let rejection): return "rejected: \(rejection)"
    case .request(let request):
        precondition(request.body.count <= limits.maxBodyBytes)
        precondition(request.head.headerFields.count <= limits.maxFields)
        precondition((request.head.path ?? "").utf8.count <= limits.maxTargetBytes + 1)
        precondition(request.isHTTP10 || request.head.authority != nil)
        let fields = request.head.headerFields.map { "\($0.name.rawName): \($0.withUnsafeBytesOfValue { Array($0) })" }
        precondition(!fields.contains { $0.lowercased().hasPrefix("content-length:") || $0.lowercased().hasPrefix("transfer-encoding:") })
        return "\(request.head) \(fields) \(request.body) \(request.isHTTP10) \(request.keepsAlive)"
    }
}

/// Whatever a client sends means the same whole and in pieces. The first three bytes choose limits
/// and pieces.
func check(_ input: UnsafeBytes, after head: String = "") {
    guard input.count > 3 else { return }
    var limits = ServerOptions.SizeLimits()
    if input[0] & 1 == 1 {
        limits.maxTargetBytes = 16
        limits.maxHeaderBytes = 96
        limits.maxFields = 4
        limits.maxBodyBytes = 16
    }
    (Array(head.utf8) + input.dropFirst(3)).withUnsafeBufferPointer { bytes in
        let whole = reading(bytes, pieces: [], limits: limits)
        precondition(whole == reading(bytes, pieces: [1 + Int(input[1]), 1 + Int(input[2])], limits: limits), "the cut makes a difference")
        precondition(whole == reading(bytes, pieces: [1], limits: limits), "dripping makes a difference")
    }
}
