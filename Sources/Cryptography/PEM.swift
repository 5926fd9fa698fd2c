internal import COpenSSL
internal import Foundation

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

    /// The block as text, without a line feed at its end.
    var text: String {
        let base64 = der.withUnsafeBytes {
            Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        }
        return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----"
    }
}
