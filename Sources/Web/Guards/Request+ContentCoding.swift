internal import Base
internal import HTTPTypes

extension Request {
    /// Whether the body has a content coding. Such requests are refused, because ten megabytes of
    /// gzip can decompress to ten gigabytes (X5).
    var hasCodedBody: Bool {
        bodyLength > 0 && head.headerFields.contains { $0.name == .contentEncoding && $0.value.trimmed.lowercased() != "identity" }
    }
}
