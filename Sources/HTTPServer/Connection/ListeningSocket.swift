/// A listening socket, and how connections that arrive there are treated.
struct ListeningSocket {
    let socket: Socket
    /// Whether connections begin with a TLS handshake.
    let isSecure: Bool
    /// Whether other processes hold the socket too (socket activation). Connections that still wait
    /// in its accept queue when this process ends are left to them.
    let isShared: Bool
}

/// The buffers that a listener lends to one of its connections at a time.
struct ReadBuffers {
    /// Bytes received from a socket.
    let received = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 32_768)
    /// The longest content of a TLS record. Source: RFC 8446 §5.1.
    let decrypted = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)

    func deallocate() {
        received.deallocate()
        decrypted.deallocate()
    }
}
