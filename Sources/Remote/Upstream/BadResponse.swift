internal import Accounts
internal import Network

/// A response that is not the requested result.
struct BadResponse: Error {
    /// The error of Onward with the same meaning for the user; nil if the upstream, its key or its
    /// base URL is at fault.
    var known: ActionError?
    /// The reason for the log.
    let cause: String
    /// Whether a request that applies a code has applied it.
    var commitState = Unavailable.CommitState.notCommitted
    let meaning: KeyHealth.Event

    /// The response is not one of an Identity Toolkit.
    static let notExpected = BadResponse(
        cause: "the response is not the expected JSON; check the base URL", commitState: .unknown,
        meaning: .refusal("the response is not the expected JSON", because: .base))

    private init(cause: String, commitState: Unavailable.CommitState, meaning: KeyHealth.Event) {
        (self.cause, self.commitState, self.meaning) = (cause, commitState, meaning)
    }

    /// Reads a response whose status is not 200.
    init(_ response: TransferResponse) {
        guard let error = ToolkitError(response) else {
            // The emulator does not implement every method.
            let isToolkit = response.status == 429 || response.status >= 500
            cause =
                "the response has status \(response.status)" + (isToolkit ? "" : ", which no Identity Toolkit sends; check the base URL")
            // A gateway that answers so did not wait for the server behind it (524: Cloudflare's).
            commitState = [504, 524].contains(response.status) ? .pending : response.status >= 500 ? .unknown : .notCommitted
            meaning =
                switch response.status {
                case 501: .answer
                default: isToolkit ? .failure(cause) : .refusal(cause, because: .base)
                }
            return
        }
        known = error.actionError
        // Google's servers answer so at a path that they do not have.
        let isOfPath = response.status == 404
        cause = "the response is an error: \(error.logText)" + (isOfPath ? "; check the base URL" : "")
        meaning = known == nil ? .refusal(error.logText, because: isOfPath ? .base : .key) : .answer
    }
}
