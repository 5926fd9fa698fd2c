internal import Store

/// The values of a statement as libpq takes them. Numbers and texts are sent as text, so that the
/// server may infer any type; byte strings are sent as they are.
struct StatementParameters {
    private var bytes: [UInt8] = []
    private var starts: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// - Parameter values: without NUL in a text; see `Statement`.
    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: append(nil, isText: true)
            case .integer(let number): append(String(number).utf8, isText: true)
            case .text(let text): append(text.utf8, isText: true)
            case .blob(let blob): append(blob, isText: false)
            }
        }
    }

    private mutating func append(_ value: (some Collection<UInt8>)?, isText: Bool) {
        starts.append(value == nil ? nil : bytes.count)
        lengths.append(Int32(value?.count ?? 0))
        formats.append(isText ? 0 : 1)
        if let value { bytes += value }
        // Also ends an empty byte string, so that its address is valid.
        bytes.append(0)
    }

    private mutating func append(_ value: [UInt8]?, isText: Bool) { append(value.map { $0[...] }, isText: isText) }

    /// Calls `body` with the arguments that libpq's functions take, beginning with the number of
    /// values.
    func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let values = starts.map { start in
                start.flatMap { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return body(Int32(values.count), values, lengths, formats)
        }
    }
}
