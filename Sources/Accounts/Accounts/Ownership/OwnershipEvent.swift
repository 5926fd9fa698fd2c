/// A part of an account that an event can end.
enum AccountPart: String, Sendable, CaseIterable {
    /// The password, and the note that the user signs in by link.
    case password
    case sessions
    /// The live codes, except those of undo links.
    case codes
    /// The links that undo a change of address, and with them the list of proved addresses.
    case undoLinks
    /// The links that remove a second factor which was added.
    case factorUndoLinks
    case providers
    case phone
    case factors
    case networks
    case name
    /// The photo, and the first address.
    case profile
}

/// How much of a part an event ends.
enum EndingExtent: String, Sendable {
    case all
    /// Everything that was set up since the moment that the event names.
    case later
    /// Everything that no admin gave.
    case usersOwn
}

/// An event that ends parts of an account.
///
/// The table of `ends` is the one place that says what ends when; `Records.end` does it.
/// `Docs/internal/Ownership.md` repeats the table, and a test compares them.
enum OwnershipEvent: String, Sendable, CaseIterable {
    /// A reset by the owner of a verified address. The password is replaced.
    case passwordReset
    /// The owner of an address proves it from outside again. What was set up since it was verified
    /// last may be an intruder's.
    case ownerReturned
    /// The owner of an address comes by a link or provider to an account that was made in advance.
    case ownerArrived
    /// The owner comes so by a reset. Most are people who forgot their password before they
    /// confirmed their address, so they keep their name.
    case ownerArrivedByReset
    /// An undo link is used. What was set up since the change may be an intruder's.
    case changeUndone
    /// The account has another address or password, one factor more or less, or its sessions were
    /// ended.
    case credentialsChanged
    /// The account removed its own password, or its address.
    case methodRemoved
    /// The owner removed a phone number or second factor that a link had left.
    case wayInRemoved
    /// An admin disabled the account. Undo links wait until it is enabled.
    case disabled
    /// An admin or an import gives the account another address, or removes it. Its sessions and
    /// codes end as well, by `credentialsChanged` or `importedOver`.
    case addressSetByAdmin
    /// An import replaced the account.
    case importedOver
    /// Another account was merged into this one, or parted from it again.
    case merged

    /// Whether the account is a new one for its users, who have not used it before.
    var isOwnersFirst: Bool { [.ownerArrived, .ownerArrivedByReset, .importedOver].contains(self) }

    /// The parts that end, and how much of each.
    var ends: [AccountPart: EndingExtent] {
        switch self {
        case .passwordReset: [.sessions: .all, .codes: .all, .providers: .all]
        case .ownerReturned: [.password: .all, .sessions: .all, .codes: .all, .providers: .later, .phone: .later]
        case .ownerArrived:
            [
                .password: .all, .sessions: .all, .codes: .all, .undoLinks: .all, .factorUndoLinks: .all, .providers: .all,
                .phone: .all, .factors: .usersOwn, .networks: .all, .name: .usersOwn, .profile: .all,
            ]
        case .ownerArrivedByReset:
            [
                .password: .all, .sessions: .all, .codes: .all, .undoLinks: .all, .factorUndoLinks: .all, .providers: .all,
                .phone: .all, .factors: .usersOwn, .networks: .all, .profile: .all,
            ]
        case .changeUndone: [.password: .all, .sessions: .all, .codes: .all, .providers: .all, .phone: .later, .factors: .later]
        case .credentialsChanged, .disabled, .merged: [.sessions: .all, .codes: .all]
        case .methodRemoved: [.codes: .all]
        case .wayInRemoved: [.sessions: .all]
        case .addressSetByAdmin: [.undoLinks: .all, .factorUndoLinks: .all]
        case .importedOver:
            [
                .password: .all, .sessions: .all, .codes: .all, .factorUndoLinks: .all, .providers: .all, .phone: .all, .factors: .all,
                .networks: .all, .name: .all, .profile: .all,
            ]
        }
    }
}
