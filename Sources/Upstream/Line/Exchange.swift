/// One request to an upstream.
struct Query: Sendable {
    /// The whole URL, made of configuration and constants.
    let url: String
    /// As they stand on the wire, `Name: value`; no value holds a line end.
    let fields: [String]
    /// JSON, for a POST; nil: a GET.
    let body: [UInt8]?
}

/// What came back, whole.
struct Reply: Sendable {
    let status: Int
    let body: [UInt8]

    /// 1 MiB: a project's configuration with a few thousand domains is a tenth of that.
    static let longest = 1 << 20
}

/// Nothing came back that can be read.
struct Lost: Error, Sendable {
    /// Constant text, for the log.
    let cause: String
    /// Whether the upstream may have read the request, and done what it says.
    let wasSent: Bool
}
