import CZlib
import Testing

/// Decompresses a body as a client does.
func inflated(_ bytes: [UInt8], atMost limit: Int = 1 << 20) throws -> [UInt8] {
    var input = bytes
    return try withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { room in
        let stream = try #require(room.baseAddress)
        stream.initialize(to: z_stream())
        try #require(inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(stream) }
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                (stream.pointee.next_in, stream.pointee.avail_in) = (UnsafePointer(input.baseAddress), UInt32(input.count))
                (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(limit))
                status = inflate(stream, Z_FINISH)
                count = Int(stream.pointee.total_out)
            }
        }
        try #require(status == Z_STREAM_END && stream.pointee.avail_in == 0)
        return output
    }
}
