internal import Accounts
internal import EmailActions

extension Site {
    /// What the page says before the deed, for a client that asks for JSON; `token` goes back with the POST.
    func json(_ pending: PendingAction, _ destination: Destination, _ token: String? = nil) -> JSON {
        .object([
            "mode": .string(pending.action.rawValue), "requestType": .string(pending.action.requestType),
            "email": pending.action == .signIn ? nil : .string(pending.email.value), "newEmail": pending.newEmail.map { .string($0.value) },
            "expiresAt": .string(String(pending.code.expiresAt.milliseconds)), "continueHost": destination.host.map { .string($0) },
            "continueUrl": token == nil ? destination.location.map { .string($0) } : nil, "token": token.map { .string($0) },
        ])
    }

    /// What was done, and where the person may go on to.
    func json(_ outcome: Outcome, _ destination: Destination) -> JSON {
        .object([
            "mode": .string(outcome.code.action.rawValue), "requestType": .string(outcome.code.action.requestType),
            "email": outcome.account.email.map { .string($0.value) }, "continueUrl": destination.location.map { .string($0) },
        ])
    }
}
