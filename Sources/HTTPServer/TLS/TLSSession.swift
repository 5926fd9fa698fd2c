import COpenSSL

/// The TLS state machine of one connection, without I/O or clock: takes received bytes, returns
/// decrypted content, and collects the bytes to send.
final class TLSSession {
    enum State {
        case shakingHands
        case open
        /// The client has sent `close_notify`; it may still be answered. Source: RFC 8446 §6.1.
        case ended
        /// The client violated the protocol; the output may contain an alert.
        case failed
    }

    private(set) var state = State.shakingHands
    let context: TLSContext
    private let ssl: OpenSSLHandle
    private var input = UnsafeBytes(start: nil, count: 0)
    private var output: [UInt8] = []
    private var record = RecordProgress()
    private var hasSentEnd = false

    /// Creates a session; nil if memory is exhausted.
    init?(_ context: TLSContext) {
        guard let ssl = context.connection(), let wire = BIO_new(Self.wire) else { return nil }
        self.context = context
        self.ssl = ssl
        // OpenSSL calls back only during calls of the methods below, when `self` is alive.
        BIO_set_data(wire, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(wire, 1)
        SSL_set_bio(ssl.pointer, wire, wire)
        SSL_set_ex_data(ssl.pointer, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_accept_state(ssl.pointer)
    }

    /// Whether the handshake was completed.
    var isComplete: Bool { SSL_is_init_finished(ssl.pointer) == 1 }

    /// The bytes that OpenSSL holds beside what every session takes: it has a buffer for a whole
    /// record while it has read a part of one.
    var heldBytes: Int { record.isPartial && state == .open ? Self.recordBufferBytes : 0 }

    /// Whether the handshake resumed an earlier session.
    var isResumed: Bool { SSL_session_reused(ssl.pointer) == 1 }

    /// The session that a callback of OpenSSL is about.
    static func of(_ ssl: OpaquePointer) -> TLSSession? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes all of `bytes` and calls `body` with each decrypted record, which is in `decrypted`.
    func receive(
        _ bytes: UnsafeBytes, through decrypted: UnsafeMutableBufferPointer<UInt8>, _ body: (UnsafeBytes) -> Void
    ) {
        input = bytes
        defer { input = UnsafeBytes(start: nil, count: 0) }
        while state == .shakingHands || state == .open {
            var count = 0
            ERR_clear_error()
            let status = SSL_read_ex(ssl.pointer, decrypted.baseAddress, decrypted.count, &count)
            if state == .shakingHands, SSL_is_init_finished(ssl.pointer) == 1 { state = .open }
            guard status != 1 else {
                body(UnsafeBytes(rebasing: decrypted[..<count]))
                continue
            }
            switch SSL_get_error(ssl.pointer, status) {
            case SSL_ERROR_WANT_READ: return
            case SSL_ERROR_ZERO_RETURN: state = .ended
            default: state = .failed
            }
        }
    }

    /// Encrypts `bytes` into records of the output.
    func encrypt(_ bytes: UnsafeBytes) {
        guard state == .open || state == .ended, !hasSentEnd, !bytes.isEmpty else { return }
        output.reserveCapacity(output.count + bytes.count + 256)
        var count = 0
        ERR_clear_error()
        if SSL_write_ex(ssl.pointer, bytes.baseAddress, bytes.count, &count) != 1 { state = .failed }
    }

    /// Adds `close_notify` to the output; nothing is encrypted afterwards (K6). Source: RFC 9112
    /// §9.8.
    func end() {
        guard state == .open || state == .ended, !hasSentEnd else { return }
        hasSentEnd = true
        ERR_clear_error()
        SSL_shutdown(ssl.pointer)
    }

    /// Removes and returns the bytes to send: parts of a handshake, records, alerts.
    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: The BIO through which OpenSSL reads and writes

    // Created once and never modified.
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

    /// Source: `ssl3_setup_read_buffer` of OpenSSL 3.0, and what malloc adds.
    private static let recordBufferBytes = 16_736

    private func take(into bytes: UnsafeMutablePointer<CChar>, atMost wanted: Int) -> Int {
        let count = min(wanted, input.count)
        record.add(input.part(..<count))
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: UnsafeRawBufferPointer(input.part(..<count)))
        input = input.part(count...)
        return count
    }
}

/// How much of a record OpenSSL has read, which reads a header, and then what the header announces.
/// Source: RFC 8446 §5.1.
private struct RecordProgress {
    private static let headerLength = 5

    private var headerCount = 0
    /// The last two bytes of the header, then the bytes of the body that are missing.
    private var missing = 0

    /// Whether a record was begun and not finished.
    var isPartial: Bool { headerCount > 0 }

    mutating func add(_ bytes: UnsafeBytes) {
        var rest = bytes[...]
        while let byte = rest.first {
            if headerCount < Self.headerLength {
                if headerCount >= 3 { missing = missing << 8 | Int(byte) }
                headerCount += 1
                rest = rest.dropFirst()
            } else {
                let count = min(missing, rest.count)
                missing -= count
                rest = rest.dropFirst(count)
            }
            if headerCount == Self.headerLength, missing == 0 { headerCount = 0 }
        }
    }
}
