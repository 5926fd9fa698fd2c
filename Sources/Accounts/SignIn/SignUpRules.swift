/// The domains of the addresses that an account may begin with. None: all.
public struct SignUpDomains: Sendable, Hashable {
    /// The domain alone, or with a `*.` before it all below it.
    private var exact: Set<String> = []
    private var parents: Set<String> = []

    public struct BadDomain: Error, Sendable {
        public let explanation = "expected the domain of addresses, such as example.com, or \"*.example.com\" for those below it"
    }

    public init() {}

    public init(_ entries: [String]) throws(BadDomain) {
        for entry in entries {
            let isParent = entry.hasPrefix("*.")
            guard let domain = EmailAddress("a@" + (isParent ? entry.dropFirst(2) : entry[...])).map({ String($0.domain) }) else {
                throw BadDomain()
            }
            if isParent { parents.insert(domain) } else { exact.insert(domain) }
        }
    }

    public var isEmpty: Bool { exact.isEmpty && parents.isEmpty }

    public func covers(_ address: EmailAddress) -> Bool {
        let labels = address.domain.split(separator: ".")
        return isEmpty || exact.contains(String(address.domain))
            || (1..<max(labels.count, 1)).contains { parents.contains(labels[$0...].joined(separator: ".")) }
    }
}

/// The rules for accounts that no admin makes or deletes. The answer depends on nothing that is
/// stored, so it is given before anything is looked up and tells of no account (V6). Custom tokens
/// are the app's own word, and are not asked.
extension Project {
    /// The reason why no client may make an account that begins with this address, or without one;
    /// nil if one may.
    func refusal(ofSignUpWith address: EmailAddress?) -> ActionError? {
        if self.signUps == .closed { return .signUpsAreClosed }
        return self.signUpDomains.isEmpty || address.map(self.signUpDomains.covers) == true ? nil : .domainNotAdmitted
    }

    /// Refuses `ADMIN_ONLY_OPERATION`.
    func requireSignUp(with address: EmailAddress?) throws(ActionError) {
        if let refusal = refusal(ofSignUpWith: address) { throw refusal }
    }

    /// Refuses every address alike where people sign up by a link.
    public func requireSignUp(byPasswordWith address: EmailAddress?) throws(ActionError) {
        try requireSignUp(with: address)
        guard self.signUps == .open else {
            throw .refused(.adminOnlyOperation, detail: "An account of this project begins with a sign-in link (EMAIL_SIGNIN)")
        }
    }

    /// Refuses `ADMIN_ONLY_OPERATION` where no user deletes their own account.
    func requireDeletion() throws(ActionError) {
        guard !self.refusesDeletions else {
            throw .refused(.adminOnlyOperation, detail: "The admins of this project delete its accounts")
        }
    }

    /// Refuses a way in that a user adds to their account, and the address that the account gets by
    /// it. To an anonymous account it is a sign-up.
    /// - Parameter address: nil if the account gets none.
    public func requireAddition(of address: EmailAddress?, by user: SignedInUser) throws(ActionError) {
        if user.isAnonymous { return try requireSignUp(with: address) }
        guard let address, address != user.account.email else { return }
        guard self.signUpDomains.covers(address) else { throw .domainNotAdmitted }
    }
}

extension ActionError {
    fileprivate static let signUpsAreClosed = refused(.adminOnlyOperation, detail: "The admins of this project make its accounts")
    fileprivate static let domainNotAdmitted = refused(
        .adminOnlyOperation, detail: "An account of this project needs an address of certain domains; ask an admin")
}
