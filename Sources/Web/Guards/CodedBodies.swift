internal import HTTPTypes
internal import JSON

extension Request {
    /// Nothing that comes in is ever decompressed: ten megabytes of gzip can be ten gigabytes (X5).
    var hasCodedBody: Bool {
        !body.isEmpty && head.headerFields.contains { $0.name == .contentEncoding && $0.value.trimmed.lowercased() != "identity" }
    }
}
