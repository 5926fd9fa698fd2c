package import Accounts

/// Refuses every text message, for sites that send none.
package struct NoTextMessages: TextMessageSender {
    package init() {}

    package func send(_ message: TextMessage, by settings: TextMessageSettings) async throws(ActionError) {
        throw .refused(.operationNotAllowed)
    }
}
