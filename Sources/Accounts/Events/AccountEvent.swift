public import Base

/// A change that the back end of the app is told of: one change of one account, or an import.
public struct AccountEvent: Sendable, Equatable {
    /// The kinds of changes. An event has the first kind that names its change.
    public enum Kind: String, Sendable, CaseIterable {
        case created = "account.created"
        case deleted = "account.deleted"
        case merged = "account.merged"
        case unmerged = "account.unmerged"
        case imported = "accounts.imported"
        case invitationAccepted = "invitation.accepted"
        case emailRestored = "email.restored"
        case passwordReset = "password.reset"
        case secondFactorReverted = "second_factor.reverted"
        case signedInByLink = "sign_in.link"
        case disabled = "account.disabled"
        case enabled = "account.enabled"
        case emailChanged = "email.changed"
        case emailVerified = "email.verified"
        case passwordChanged = "password.changed"
        case providerLinked = "provider.linked"
        case providerUnlinked = "provider.unlinked"
        case phoneSet = "phone.set"
        case phoneRemoved = "phone.removed"
        case secondFactorEnrolled = "second_factor.enrolled"
        case secondFactorRemoved = "second_factor.removed"
        case sessionsEnded = "sessions.ended"

        /// Whether the change is about an address, which the event then names.
        var isAboutAddress: Bool {
            switch self {
            case .emailRestored, .emailChanged, .emailVerified, .signedInByLink: true
            default: false
            }
        }
    }

    /// The id of the request, which each attempt has.
    public let id: String
    public let kind: Kind
    /// The other kinds that name the change.
    public let alsoKinds: [Kind]
    public let project: ProjectID
    /// Nil for an import.
    public let account: AccountID?
    public let at: Timestamp
    /// The address of the account after the change, and the one that it left, if the change is
    /// about them.
    public let email, formerEmail: EmailAddress?
    /// The other members of `data` in the request, an object.
    public let details: JSON

    public init(
        id: String, kind: Kind, alsoKinds: [Kind] = [], project: ProjectID, account: AccountID?, at: Timestamp,
        email: EmailAddress? = nil, formerEmail: EmailAddress? = nil, details: JSON = .object([:])
    ) {
        (self.id, self.kind, self.alsoKinds, self.project, self.account, self.at) = (id, kind, alsoKinds, project, account, at)
        (self.email, self.formerEmail, self.details) = (email, formerEmail, details)
    }

    /// The body of the request.
    public var json: JSON {
        let known: JSON = .object([
            "id": .string(id), "project": .string(project.rawValue), "localId": .string(ifAny: account?.rawValue),
            "also": alsoKinds.isEmpty ? nil : .array(alsoKinds.map { .string($0.rawValue) }),
            "email": .string(ifAny: email?.value), "formerEmail": .string(ifAny: formerEmail?.value),
        ])
        return .object([
            "type": .string(kind.rawValue), "timestamp": .string(at.iso8601), "data": .object(known.members + details.members),
        ])
    }
}

extension JSON {
    fileprivate var members: [Member] { if case .object(let members) = self { members } else { [] } }
}

/// An address of the app's back end, and what it is told.
public struct EventEndpoint: Sendable, Hashable {
    public let url: String
    /// Nil: all kinds.
    public let kinds: Set<AccountEvent.Kind>?
    /// Nil: all projects.
    public let projects: Set<ProjectID>?

    public init(url: String, kinds: Set<AccountEvent.Kind>? = nil, projects: Set<ProjectID>? = nil) {
        (self.url, self.kinds, self.projects) = (url, kinds, projects)
    }

    public func takes(_ event: AccountEvent) -> Bool {
        guard projects?.contains(event.project) ?? true else { return false }
        return kinds.map { kinds in ([event.kind] + event.alsoKinds).contains(where: kinds.contains) } ?? true
    }
}
