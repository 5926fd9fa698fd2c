internal import Accounts

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

    /// In bytes. A project's configuration with a few thousand domains is a tenth of that.
    static let longest = 1 << 20
    /// The same for the lines before it.
    static let longestHead = 1 << 16
}

/// Nothing came back that can be read.
struct Lost: Error, Sendable {
    /// Constant text, for the log.
    let cause: String
    /// What the upstream may have made of the request.
    var deed = Unavailable.Deed.undone
}
