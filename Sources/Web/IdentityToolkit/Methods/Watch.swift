internal import Accounts
internal import Base
internal import HTTPServer

extension APIMethod {
    static let watch = APIMethod(
        "watch", permissions: [.read],
        documentation: MethodDocumentation(
            summary: "Waits until the account of an ID token changes in what lookup shows, except for its last sign-in and refresh.",
            fields: [
                Property("idToken", .text),
                Property(
                    "since", .text,
                    "The mark of an earlier response. With it the response comes when the account has another mark, or after 50 seconds, or earlier if the server is short of connections; without it at once."
                ),
            ],
            response: [
                .always("localId", .text), .always("since", .text, "The present mark."),
                .always("changed", .flag, "Whether the account has another mark than since."),
            ],
            refusals: [.missingIDToken, .invalidIDToken, .tokenExpired, .userNotFound, .userDisabled]),
        hold: { (call) throws(ActionError) in try await call.heldWatch() },
        run: { (call) throws(ActionError) in
            try await call.counted(by: [.refresh]) { () throws(ActionError) in
                call.toolkit.watch.answer(about: try call.requiredUser().profile, since: try call.body.text("since"))
            }
        })
}

extension Call {
    /// `accounts:watch` of a client that knows the account as it is; nil for others.
    fileprivate func heldWatch() async throws(ActionError) -> HeldResponse? {
        let user = try requiredUser()
        guard let since = try body.text("since"), since == toolkit.watch.mark(of: user.profile) else { return nil }
        return try await counted(by: [.refresh]) { () throws(ActionError) in
            toolkit.watch.hold(user.watched, since: since, from: Source(peer).client, origin: origin)
        }
    }
}
