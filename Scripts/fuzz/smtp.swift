/// A server's bytes: its answers are the same whole and in pieces, stay within their limits, and
/// become one clean line (M2).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 1 else { return 0 }
    let input = Array(bytes.dropFirst())
    let whole = answers(input, pieces: input.count)
    precondition(whole == answers(input, pieces: 1), "dripping makes a difference")
    precondition(whole == answers(input, pieces: 1 + Int(bytes[0])), "the cut makes a difference")
    for case .success(let reply) in whole {
        precondition((200..<600).contains(reply.code) && (1...SMTPReplyReader.maxLines).contains(reply.lines.count))
        let line = reply.oneLine
        precondition(line.utf8.count <= AnswerText.maxBytes)
        precondition(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0x2028 })
        let offers = SMTPOffers(reply.lines)
        precondition(offers.maxMessageBytes.map { $0 > 0 } ?? true)
    }
    return 0
}

/// The answers in some bytes that arrive in pieces, and the error that ends them.
private func answers(_ bytes: [UInt8], pieces: Int) -> [Result<SMTPReply, SMTPReplyReader.Malformed>] {
    var reader = SMTPReplyReader()
    var found: [Result<SMTPReply, SMTPReplyReader.Malformed>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        reader.append(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
        do {
            while let reply = try reader.next() { found.append(.success(reply)) }
        } catch {
            found.append(.failure(error))
            return found
        }
    }
    return found
}
