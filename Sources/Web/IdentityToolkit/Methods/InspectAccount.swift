internal import Accounts
internal import Base

extension APIMethod {
    static let inspectAccount = APIMethod(
        "inspectAccount", source: .query, requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "An account with its sessions, the links that work, and why it gets no mails: never a code or a token.",
            adminFields: [Property("localId", .text, "Required.")],
            response: [
                .always("account", .shared(.account)),
                .always(
                    "signInMethods", .list(.text),
                    "How its user can sign in: `password`, `emailLink`, `phone`, the id of a provider, or `custom`."),
                .always("switchedOffMethods", .list(.text), "How its user could sign in, if the project had not switched it off."),
                Property(
                    "invitation",
                    .object([
                        .always("sentAt", .text, "ISO 8601, as all times here but those of the account."), .always("expiresAt", .text),
                        Property("newcomerLocalId", .text, "The account that the press makes, if the address is another user's."),
                    ]), "Absent for none, and once someone has entered the account."),
                .always(
                    "sessions",
                    .list(
                        .object([
                            .always("provider", .text, "How its user signed in."), Property("secondFactor", .text, "How it was proved."),
                            .always("signedInAt", .text), .always("refreshedAt", .text),
                        ])), "The sessions that last, the one first that was refreshed last."),
                .always(
                    "links",
                    .list(
                        .object([
                            .always("requestType", .choice(Action.allCases.map(\.requestType))), .always("email", .text),
                            Property("newEmail", .text), .always("createdAt", .text), .always("expiresAt", .text),
                            .always("mailed", .flag, "False: an admin's program received it."),
                            Property("pausedUntil", .text, "After wrong numbers on its page."),
                            Property("browser", .text, "Of the device that asked for it, as `system`."), Property("system", .text),
                        ])), "The links that work, newest first."),
                .always(
                    "provedAddresses", .list(.object([.always("email", .text), .always("provedAt", .text)])),
                    "The addresses that the account has proved; they can undo changes."),
                .always("suppressions", .list(.suppression), "Those of its address that are in force."),
                .always(
                    "merges",
                    .list(
                        .object([
                            .always("fromLocalId", .text), .always("mergedAt", .text),
                            .always("reversibleUntil", .text, "Until then, `accounts:unmerge` undoes it."),
                        ])), "The merges into the account that can be undone."),
                Property(
                    "secondFactorPausedUntil", .text, "Until then codes are refused, after wrong ones: from unknown networks, or from all."),
            ],
            refusals: [.missingLocalID, .userNotFound]),
        run: { (call) throws(ActionError) in try await call.inspectAccount() })
}

extension Call {
    /// `accounts:inspect`.
    func inspectAccount() async throws(ActionError) -> JSON {
        guard let id = try accountID() else { throw .refused(.missingLocalID) }
        let report = try await accounts.report(on: id, in: project.id)
        let ways = report.profile.waysIn(in: project)
        return .object([
            "account": json(report.profile), "signInMethods": .array(ways.filter(\.isOffered).map { .string($0.method) }),
            "switchedOffMethods": .array(ways.filter { !$0.isOffered }.map { .string($0.method) }),
            "invitation": report.profile.invitation.map(\.json),
            "sessions": .array(report.sessions.map(\.json)), "links": .array(report.links.map(\.json)),
            "provedAddresses": .array(report.provedAddresses.map(\.json)), "suppressions": .array(report.suppressions.map(\.json)),
            "merges": .array(report.merges.map(\.json)), "secondFactorPausedUntil": .string(ifAny: report.secondFactorPausedUntil?.iso8601),
        ])
    }

    /// The account that a list is about; nil for every account.
    func accountID() throws(ActionError) -> AccountID? { try body.text("localId").map(AccountID.init(rawValue:)) }
}

extension Invitation {
    fileprivate var json: JSON {
        .object([
            "sentAt": .string(sentAt.iso8601), "expiresAt": .string(expiresAt.iso8601),
            "newcomerLocalId": .string(ifAny: newcomer?.id.rawValue),
        ])
    }
}

extension RefreshTokenRecord {
    fileprivate var json: JSON {
        .object([
            "provider": .string(provider.rawValue), "secondFactor": .string(ifAny: secondFactor?.method.rawValue),
            "signedInAt": .string(authTime.iso8601), "refreshedAt": .string(createdAt.iso8601),
        ])
    }
}

extension StoredCode {
    fileprivate var json: JSON {
        .object([
            "requestType": .string(action.requestType), "email": .string(email.value), "newEmail": .string(ifAny: newEmail?.value),
            "createdAt": .string(createdAt.iso8601), "expiresAt": .string(expiresAt.iso8601), "mailed": .bool(isMailed),
            "pausedUntil": .string(ifAny: pausedUntil?.iso8601), "browser": .string(ifAny: device?.browser),
            "system": .string(ifAny: device?.system),
        ])
    }
}

extension StoredMerge {
    fileprivate var json: JSON {
        .object([
            "fromLocalId": .string(merge.from.rawValue), "mergedAt": .string(at.iso8601),
            "reversibleUntil": .string((at + Merge.reversible).iso8601),
        ])
    }
}

extension ProvedAddress {
    fileprivate var json: JSON { .object(["email": .string(email.value), "provedAt": .string(provedAt.iso8601)]) }
}
