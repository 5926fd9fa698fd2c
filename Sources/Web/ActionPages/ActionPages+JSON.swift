internal import Accounts
internal import Base

extension ActionPages {
    /// The page before the action, for a client that asks for JSON; `token` goes back with the
    /// POST, and `question` says what else.
    func json(
        _ pending: PendingAction, _ destination: Destination, _ token: String? = nil, asking question: PressQuestion? = nil
    ) -> JSON {
        .object([
            "mode": .string(pending.action.rawValue), "requestType": .string(pending.action.requestType),
            "email": .string(ifAny: pending.email), "newEmail": .string(ifAny: pending.newEmail),
            "expiresAt": .string(ifAny: pending.expiresAt.map { String($0.milliseconds) }),
            "continueHost": destination.host.map { .string($0) },
            "continueUrl": token == nil ? destination.location.map { .string($0) } : nil, "token": token.map { .string($0) },
            "waysIn": pending.waysIn.map {
                .object(["password": .bool($0.hasPassword), "names": .array($0.names.map { .string($0) })])
            },
            "replacesPassword": pending.passwordFacts.map { .bool($0.former == .inForce) },
            "acceptsInvitation": pending.passwordFacts.map { .bool($0.acceptsInvitation) },
            "accountCreatedAt": .string(ifAny: pending.accountCreatedAt.map { String($0.milliseconds) }),
            "question": .string(ifAny: question?.name),
        ])
    }

    /// The page after the action: what was done, and where the user can go on to.
    func json(_ outcome: Outcome, _ destination: Destination) -> JSON {
        .object([
            "mode": .string(outcome.done.action.rawValue), "requestType": .string(outcome.done.action.requestType),
            "email": .string(ifAny: outcome.email), "continueUrl": destination.location.map { .string($0) },
        ])
    }
}

extension PressQuestion {
    /// The name in JSON, in metrics and in the log. Clients answer `number` with the form field
    /// `number`, `secondPress` with another POST after a pause, and `changedWays` with another POST
    /// after their user has seen the new `waysIn`.
    var name: String {
        switch self {
        case .number: "number"
        case .secondPress: "secondPress"
        case .changedWays: "changedWays"
        }
    }
}
