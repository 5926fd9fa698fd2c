internal import Accounts

/// A request to an upstream.
struct UpstreamRequest: Sendable {
    /// The URL, built from configuration and constants only.
    let url: String
    /// The header lines, `Name: value`, without line ends.
    let fields: [String]
    /// The JSON body of a POST; nil for a GET.
    let body: [UInt8]?
}

/// A complete response of an upstream.
struct UpstreamResponse: Sendable {
    let status: Int
    let body: [UInt8]

    /// The largest body that is accepted. The configuration of a project with a few thousand authorised
    /// domains takes a tenth of it.
    static let maxBodyBytes = 1 << 20
    /// The largest head that is accepted, informational responses included.
    static let maxHeadBytes = 1 << 16
}

/// The failure of a transfer: no complete response was received.
struct TransferError: Error, Sendable {
    /// The cause for the log, a constant text.
    let cause: String
    /// Whether the upstream may have executed the request.
    var commitState = Unavailable.CommitState.notCommitted
}
