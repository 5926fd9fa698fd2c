public import Base

/// A code as the store keeps it, bound to project, action, account and addresses (C10).
public struct StoredCode: Sendable, Hashable {
    /// The reason why a code stopped working before it expired.
    public enum EndReason: String, Sendable, CaseIterable {
        /// The code was applied.
        case used
        /// Another code of the same purpose was used, the account changed (C11, C12), or its page
        /// got too many wrong confirmation numbers.
        case withdrawn
    }

    public let key: CodeKey
    public let project: ProjectID
    public let action: Action
    /// The code's account; nil only for a sign-in link to an address without an account.
    public let account: AccountID?
    /// The address the code is about: verified, reset, signed in, changed from, added, or restored.
    public let email: EmailAddress
    /// The address changed to (`verifyAndChangeEmail`), or changed away from (`recoverEmail`). An
    /// account without an address gets `email`, which both are then.
    public let newEmail: EmailAddress?
    /// The factor that `revertSecondFactorAddition` removes.
    public let secondFactor: String?
    public let settings: ActionCodeSettings
    /// The language of the mail and the page.
    public let language: String?
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    public internal(set) var end: EndReason?
    public internal(set) var endedAt: Timestamp?
    /// Whether another code of its purpose (its address and action) may ever have been live at the
    /// same time, as known when this code was read.
    public var hasSiblings: Bool
    /// Whether the mail with this code shows its confirmation number. Not so if an admin's program
    /// received the link, or if the project's own template leaves the number out.
    public let mailHasNumber: Bool
    /// How many more wrong numbers the code survives; nil until its page asked for the number.
    public let wrongNumbersLeft: Int?
    /// The time until which wrong numbers keep an undo link from working.
    public let pausedUntil: Timestamp?
    /// Whether the code ended because its account asked for a link to another address since.
    public let isSuperseded: Bool
    /// Whether the code was mailed, so that its user may find it in the inbox.
    public let isMailed: Bool
    /// The device that asked for the code.
    public let device: ClientDevice?

    public init(
        key: CodeKey, project: ProjectID, action: Action, account: AccountID?, email: EmailAddress, newEmail: EmailAddress? = nil,
        secondFactor: String? = nil, settings: ActionCodeSettings = ActionCodeSettings(), language: String? = nil, createdAt: Timestamp,
        expiresAt: Timestamp, end: EndReason? = nil, endedAt: Timestamp? = nil, hasSiblings: Bool = false, mailHasNumber: Bool = false,
        wrongNumbersLeft: Int? = nil, pausedUntil: Timestamp? = nil, isSuperseded: Bool = false, isMailed: Bool = true,
        device: ClientDevice? = nil
    ) {
        self.key = key
        self.project = project
        self.action = action
        self.account = account
        self.email = email
        self.newEmail = newEmail
        self.secondFactor = secondFactor
        self.settings = settings
        self.language = language
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.end = end
        self.endedAt = endedAt
        self.hasSiblings = hasSiblings
        self.mailHasNumber = mailHasNumber
        self.wrongNumbersLeft = wrongNumbersLeft
        self.pausedUntil = pausedUntil
        self.isSuperseded = isSuperseded
        self.isMailed = isMailed
        self.device = device
    }

    /// Whether the code gives an address to an account without one.
    var addsAddress: Bool { action.setsNewAddress && newEmail == email }
    /// The account's address when the code was made; nil if the code adds one.
    var presentEmail: EmailAddress? { addsAddress ? nil : email }

    /// Whether a code works, or the reason why it does not.
    public enum State: Sendable, Hashable { case live, used, withdrawn, expired }

    /// The state of the code. `Records.live` (CodeTable.swift) is the same condition in SQL. A code
    /// ends at `expiresAt`, not after it (C8).
    public func state(at now: Timestamp) -> State {
        switch end {
        case .used: .used
        case .withdrawn: .withdrawn
        case nil: now >= expiresAt ? .expired : .live
        }
    }
}
