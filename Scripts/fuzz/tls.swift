import Glibc

/// Any bytes over the wire of a TLS session: no crash, whole and in pieces it comes as far, and
/// what it says ends with that.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBytes(start: start, count: count)
    let whole = state(after: bytes, piece: max(1, count))
    precondition(whole == state(after: bytes, piece: 1), "dripping makes a difference")
    return 0
}

private func state(after bytes: UnsafeBytes, piece: Int) -> TLSSession.State? {
    guard let session = TLSSession(context) else { return nil }
    for start in stride(from: 0, to: bytes.count, by: piece) {
        // Memory of its own, so that AddressSanitizer sees a step beyond the piece.
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: min(piece, bytes.count - start))
        defer { input.deallocate() }
        _ = input.initialize(from: bytes[start..<(start + input.count)])
        session.receive(UnsafeBytes(input), through: plain) { precondition(!$0.isEmpty) }
    }
    _ = session.takeOutput()
    session.encrypt(bytes)
    session.end()
    let last = session.takeOutput()
    precondition(session.state != .shakingHands || last.isEmpty, "it says something before it may")
    return session.state
}

nonisolated(unsafe) private let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)

/// With the certificate that `run` has made.
private let context: TLSContext = {
    func file(_ name: String) -> [UInt8] {
        guard let folder = getenv("FUZZ_TLS"), let file = fopen(String(cString: folder) + "/" + name, "r") else { fatalError("no \(name)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
    do {
        return try TLSContext([
            TLSIdentity(certificate: file("certificate"), privateKey: file("key"), ocspResponse: nil, at: time(nil))
        ])
    } catch { fatalError("\(error)") }
}()
