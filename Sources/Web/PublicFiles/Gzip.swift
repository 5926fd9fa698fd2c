internal import CZlib

/// Compression with gzip. Source: RFC 1952.
enum Gzip {
    /// Compresses as much as zlib can, which is slow: for files that are made once. Nil if memory
    /// is exhausted.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib keeps a pointer to the stream, so the stream must not move.
        withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { room in
            guard let stream = room.baseAddress else { return nil }
            stream.initialize(to: z_stream())
            let window = MAX_WBITS + 16  // 16: with the header and trailer of gzip, without a time
            let begun = deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            return finish(stream, bytes)
        }
    }

    private static func finish(_ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8]) -> [UInt8]? {
        let bound = deflateBound(stream, UInt(bytes.count))
        guard let capacity = UInt32(exactly: bound) else { return nil }
        let output = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { output, count in
            bytes.withUnsafeBufferPointer { input in
                (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, capacity)
                count = deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }
}
