internal import COpenSSL

/// The text form of keys and certificates: base64 between a line that begins and a line that ends
/// it. Source: RFC 7468.
struct PEM {
    /// Says what the block contains, such as `PUBLIC KEY`.
    let label: String
    let der: SecretBytes

    init(label: String, der: SecretBytes) { (self.label, self.der) = (label, der) }

    /// Reads the only block in `text`. Nil if there is none, if there are several, or if it is
    /// encrypted; a password is never asked for.
    init?(_ text: some Collection<UInt8>) {
        _ = OpenSSL.isInitialised
        let text = SecretBytes(text)
        let blocks = text.withUnsafeBytes { text -> [PEM] in
            guard let source = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return [] }
            defer { BIO_free(source) }
            guard let first = Self.next(in: source) else { return [] }
            return [first, Self.next(in: source)].compactMap(\.self)
        }
        ERR_clear_error()
        guard blocks.count == 1 else { return nil }
        self = blocks[0]
    }

    private static func next(in source: OpaquePointer) -> PEM? {
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(source, &label, &header, &bytes, &count) == 1, let label else { return nil }
        defer {
            CRYPTO_free(label, nil, 0)
            CRYPTO_free(header, nil, 0)
            CRYPTO_clear_free(bytes, count, nil, 0)
        }
        // A header says that the block is encrypted. Source: RFC 1421 section 4.6.1.1.
        guard header.map({ $0.pointee == 0 }) ?? true else { return nil }
        return PEM(label: String(cString: label), der: SecretBytes(UnsafeBufferPointer(start: bytes, count: count)))
    }

    /// The block as text, without a line feed at its end. libcrypto clears its own copy.
    var text: SecretBytes {
        let buffer = OpenSSL.allocated(BIO_new(BIO_s_mem()))
        defer { BIO_free(buffer) }
        let count = der.withUnsafeBytes {
            PEM_write_bio(buffer, label, "", $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
        }
        OpenSSL.check(count > 0 ? 1 : 0)
        var start: UnsafeMutableRawPointer?
        let end = BIO_ctrl(buffer, BIO_CTRL_INFO, 0, &start) - 1
        return SecretBytes(UnsafeRawBufferPointer(start: start, count: end))
    }

    /// The text of a block that is public.
    var publicText: String { text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
