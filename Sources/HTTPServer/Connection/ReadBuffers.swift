/// The memory that all connections of a listener read through, one at a time.
struct ReadBuffers {
    /// What a socket brought.
    let wire = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 32_768)
    /// What one TLS record said, at the longest. Source: RFC 8446 §5.1.
    let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)

    func deallocate() {
        wire.deallocate()
        plain.deallocate()
    }
}
