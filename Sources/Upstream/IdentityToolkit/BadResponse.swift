internal import Accounts
internal import Curl

/// A response that is not the requested result.
struct BadResponse: Error {
    /// The error of Onward with the same meaning for the user; nil if the upstream, its key or its
    /// base URL is at fault.
    var known: ActionError?
    /// The reason for the log.
    let cause: String
    /// Whether a request that applies a code may have applied it.
    var mayHaveWorked = false
    let meaning: KeyHealth.Event

    /// The response is not one of an Identity Toolkit.
    static let notExpected = BadResponse(
        cause: "the response is not the expected JSON", mayHaveWorked: true,
        meaning: .refusal("the response is not that of an Identity Toolkit"))

    private init(cause: String, mayHaveWorked: Bool, meaning: KeyHealth.Event) {
        (self.cause, self.mayHaveWorked, self.meaning) = (cause, mayHaveWorked, meaning)
    }

    /// Reads a response whose status is not 200.
    init(_ response: TransferResponse) {
        guard let error = ToolkitError(response) else {
            cause = "the response has status \(response.status)"
            mayHaveWorked = response.status >= 500
            meaning =
                switch response.status {
                // The emulator does not implement every method.
                case 501: .answer
                case 429, 500...: .failure(cause)
                default: .refusal("the response has status \(response.status); the base URL may be wrong")
                }
            return
        }
        known = error.actionError
        cause = "the response is an error: \(error.logText)"
        meaning = known == nil ? .refusal(error.logText) : .answer
    }
}
