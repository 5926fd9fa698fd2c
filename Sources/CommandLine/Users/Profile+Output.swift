import Accounts
import Base
import Foundation

extension Accounts.Profile {
    /// The account as a line for people.
    var line: String {
        "\(account.id)  \(name)" + (account.disabled ? "  (disabled)" : "")
    }

    /// The line, with the state of an invitation that waits.
    func line(at now: Timestamp) -> String {
        guard let invitation else { return line }
        let state = invitation.expiresAt <= now ? "the link has expired" : "the link works until \(invitation.expiresAt.iso8601)"
        let newcomer = invitation.newcomer.map { ", for the new account \($0.id)" } ?? ""
        return line + "  (invited \(invitation.sentAt.iso8601)\(newcomer), \(state))"
    }

    private var name: String { account.email?.value ?? account.phoneNumber?.value ?? (isAnonymous ? "(anonymous)" : "(no address)") }

    /// The account with everything that an admin may see of it, for people.
    var details: String {
        let rows: [(String, String?)] = [
            ("address", account.email.map { $0.value + (account.emailVerified ? " (verified)" : " (not verified)") }),
            ("phone", account.phoneNumber?.value), ("name", account.displayName),
            ("signs in with", methods.isEmpty ? nil : methods.joined(separator: ", ")),
            ("second factors", secondFactors.isEmpty ? nil : secondFactors.map(\.line).joined(separator: ", ")),
            ("created", account.createdAt.iso8601), ("last sign-in", account.lastLoginAt?.iso8601),
            ("invited", invitation?.sentAt.iso8601), ("link expires", invitation?.expiresAt.iso8601), ("claims", account.customAttributes),
        ]
        let values = rows.compactMap { label, value in value.map { "    " + label.padding(toLength: 16, withPad: " ", startingAt: 0) + $0 }
        }
        return ([line] + values).joined(separator: "\n")
    }

    /// The account with the names that the API has for its fields. Times are in UTC.
    var json: JSON {
        .object([
            "localId": .string(account.id.rawValue), "email": .string(ifAny: account.email?.value),
            "emailVerified": .bool(account.emailVerified), "phoneNumber": .string(ifAny: account.phoneNumber?.value),
            "displayName": .string(ifAny: account.displayName), "disabled": .bool(account.disabled),
            "createdAt": .string(account.createdAt.iso8601), "lastLoginAt": .string(ifAny: account.lastLoginAt?.iso8601),
            "invitedAt": .string(ifAny: invitation?.sentAt.iso8601), "invitationExpiresAt": .string(ifAny: invitation?.expiresAt.iso8601),
            "invitedLocalId": .string(ifAny: invitation?.newcomer?.id.rawValue),
            "validSince": .string(account.validSince.iso8601), "customAttributes": .string(ifAny: account.customAttributes),
            "providers": .array(methods.map { .string($0) }),
            "mfaInfo": .array(
                secondFactors.map { factor in
                    .object([
                        "mfaEnrollmentId": .string(factor.id), "kind": .string(factor.kind.rawValue),
                        "displayName": .string(ifAny: factor.displayName), "enrolledAt": .string(factor.enrolledAt.iso8601),
                    ])
                }),
        ])
    }

    private var methods: [String] {
        let own = [
            (account.passwordHash != nil, "password"), (account.emailLinkSignIn, "emailLink"), (account.phoneNumber != nil, "phone"),
        ]
        return own.filter(\.0).map(\.1) + linkedProviders.map(\.provider)
    }
}

extension SecondFactor {
    fileprivate var line: String { "\(kind.rawValue) \(shownName ?? id)" }
}
