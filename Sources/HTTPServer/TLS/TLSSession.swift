import COpenSSL

/// One connection's TLS as a machine: what came over the wire in, what is to go over the wire out, and in between what the two
/// sides say. No socket and no clock.
final class TLSSession {
    enum State {
        case shakingHands
        case open
        /// The client has said that it will send nothing more; it may still be answered. Source: RFC 8446 §6.1.
        case ended
        /// The client sent what is no TLS, or not as it must be; an alert may be waiting in the output.
        case failed
    }

    private(set) var state = State.shakingHands
    let context: TLSContext
    private let ssl: Handle
    private var input = Bytes(start: nil, count: 0)
    private var output: [UInt8] = []
    private var hasEnded = false

    /// Nil when memory is out.
    init?(_ context: TLSContext) {
        guard let ssl = context.connection(), let wire = BIO_new(Self.wire) else { return nil }
        self.context = context
        self.ssl = ssl
        // OpenSSL calls back only within the calls below, so what it is given here is alive then.
        BIO_set_data(wire, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(wire, 1)
        SSL_set_bio(ssl.pointer, wire, wire)
        SSL_set_ex_data(ssl.pointer, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_accept_state(ssl.pointer)
    }

    /// Whether there was a handshake to its end.
    var isComplete: Bool { SSL_is_init_finished(ssl.pointer) == 1 }

    /// Whether that was one that goes on with an earlier session.
    var isResumed: Bool { SSL_session_reused(ssl.pointer) == 1 }

    /// Whose connection it is that OpenSSL calls back about.
    static func of(_ ssl: OpaquePointer) -> TLSSession? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes all of `bytes`, which the wire brought, and gives `body` what the client says with them, piece by piece in `plain`.
    func receive(_ bytes: Bytes, through plain: UnsafeMutableBufferPointer<UInt8>, _ body: (Bytes) -> Void) {
        input = bytes
        defer { input = Bytes(start: nil, count: 0) }
        while state == .shakingHands || state == .open {
            var count = 0
            ERR_clear_error()
            let status = SSL_read_ex(ssl.pointer, plain.baseAddress, plain.count, &count)
            if state == .shakingHands, SSL_is_init_finished(ssl.pointer) == 1 { state = .open }
            guard status != 1 else {
                body(Bytes(rebasing: plain[..<count]))
                continue
            }
            switch SSL_get_error(ssl.pointer, status) {
            case SSL_ERROR_WANT_READ: return
            case SSL_ERROR_ZERO_RETURN: state = .ended
            default: state = .failed
            }
        }
    }

    /// Puts what is to be said into records for the wire.
    func seal(_ bytes: Bytes) {
        guard state == .open || state == .ended, !hasEnded, !bytes.isEmpty else { return }
        output.reserveCapacity(output.count + bytes.count + 256)
        var count = 0
        ERR_clear_error()
        if SSL_write_ex(ssl.pointer, bytes.baseAddress, bytes.count, &count) != 1 { state = .failed }
    }

    /// Says that nothing more will be said; nothing is sealed from then on (K6). Source: RFC 9112 §9.8.
    func end() {
        guard state == .open || state == .ended, !hasEnded else { return }
        hasEnded = true
        ERR_clear_error()
        SSL_shutdown(ssl.pointer)
    }

    /// What the wire is to carry next: parts of a handshake, records, alerts.
    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: The wire as OpenSSL sees it

    // Made once, and never changed after that.
    private static nonisolated(unsafe) let wire: OpaquePointer? = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "onward")
        BIO_meth_set_read_ex(method) { wire, bytes, wanted, count in
            BIO_clear_flags(wire, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            guard let bytes, let taken = TLSSession.behind(wire)?.take(into: bytes, atMost: wanted), taken > 0 else {
                BIO_set_flags(wire, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
                return 0
            }
            count?.pointee = taken
            return 1
        }
        BIO_meth_set_write_ex(method) { wire, bytes, given, count in
            TLSSession.behind(wire)?.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: given))
            count?.pointee = given
            return 1
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    private static func behind(_ wire: OpaquePointer?) -> TLSSession? {
        BIO_get_data(wire).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(into bytes: UnsafeMutablePointer<CChar>, atMost wanted: Int) -> Int {
        let count = min(wanted, input.count)
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: UnsafeRawBufferPointer(input.part(..<count)))
        input = input.part(count...)
        return count
    }
}
