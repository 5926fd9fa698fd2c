public import Accounts
/// Modules that handle codes also use their actions, so `Action` is exported with this one.
@_exported public import enum AppLinks.Action
@_exported public import enum AppLinks.ActionChoice

/// The entry point for action links: a link is requested and mailed (`send`), inspected (`inspect`)
/// and applied once (`press`, `redeem`). The outcome contains the destination at which the user
/// continues.
public struct EmailActions: Sendable {
    /// Whether a project's mails of a kind, in a language, show the confirmation number.
    public typealias MailHasNumber = @Sendable (LetterKind?, _ language: String, Project) -> Bool

    public let outbox: Outbox
    private let secrets: Secrets
    let own: LocalAuthority
    let upstream: UpstreamAuthority
    let store: any ActionStore
    let passwords: Passwords
    let drafts: CodeDrafts
    let countMail: CountMail
    let now: Now

    /// Creates the entry point.
    /// - Parameters:
    ///   - linkKey: returns the API key that a project's links contain.
    ///   - mailHasNumber: whether a project's mails of a kind, in a language, show the confirmation
    ///     number; default: all do.
    ///   - upstreams: returns the Identity Toolkit at a base URL, for projects with an upstream;
    ///     default: there are no such projects.
    ///   - countMail: counts the mails to each address; default: admits all.
    ///   - observe: called with every code once it is stored; default: does nothing.
    public init(
        store: any ActionStore, passwords: Passwords, outbox: Outbox, secrets: Secrets, linkKey: @escaping @Sendable (Project) -> String,
        now: @escaping Now, random: @escaping RandomBytes, mailHasNumber: @escaping MailHasNumber = { _, _, _ in true },
        upstreams: @escaping UpstreamAuthority.Toolkits = { _ in nil },
        countMail: @escaping CountMail = { _, write throws(ActionError) in try await write(nil) },
        observe: @escaping @Sendable (IssuedCode) -> Void = { _ in }
    ) {
        self.countMail = countMail
        self.store = store
        self.passwords = passwords
        self.outbox = outbox
        self.secrets = secrets
        self.now = now
        drafts = CodeDrafts(
            outbox: outbox, secrets: secrets, linkKey: linkKey, mailHasNumber: mailHasNumber, now: now, random: random,
            rowIDs: store.rowIDs, observe: observe)
        own = LocalAuthority(store: store, passwords: passwords, secrets: secrets, drafts: drafts, now: now)
        upstream = UpstreamAuthority(toolkits: upstreams, store: store, secrets: secrets, now: now)
    }

    /// The importer for accounts from other systems.
    public var imports: UserImport { UserImport(store: store, passwords: passwords, now: now) }

    /// The deletion of accounts with what belongs to them.
    public var erasure: Erasure { Erasure(store: store, outbox: outbox, secrets: secrets) }

    /// The merging of accounts.
    public var merging: Merging { Merging(store: store, outbox: outbox, secrets: secrets, now: now, random: drafts.random) }

    /// The short links of link domains.
    public var shortLinks: ShortLinks { ShortLinks(store: store, now: now, random: drafts.random) }

    /// Inspects the code of a link without changing anything (C6).
    public func inspect(
        _ link: ActionLink, in project: Project
    ) async throws(ActionError) -> Inspection {
        try await authority(of: project).inspect(link, in: project)
    }

    /// Inspects the code of a link that was applied. What an upstream said to that is certain, also
    /// if the store failed to note it.
    public func inspect(applied link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        guard project.upstream == nil else { return .used(upstream.applied(link, in: project)) }
        return try await inspect(link, in: project)
    }

    /// Inspects the code of a link for a page that only shows it (N12).
    public func preview(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await authority(of: project).preview(link, in: project)
    }

    /// Inspects a code that was sent to the API. Only projects without an upstream have such codes.
    public func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection {
        try await own.inspect(code, in: project)
    }

    /// Handles the press of the button on a link's page: applies the action, exactly once, if it
    /// needs no further input, unless the press looks like a program's (V10).
    public func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        try await authority(of: project).press(link, press, in: project)
    }

    /// Applies the action of a live code, exactly once.
    public func redeem(_ pending: PendingAction, with input: RedeemInput = .call()) async throws(ActionError) -> Outcome {
        try await authority(of: pending.project).redeem(pending, with: input)
    }

    /// The number that the mail with this link shows; nil for a link of an upstream's mail, which
    /// has none.
    public func confirmationNumber(of link: ActionLink, _ ended: EndedAction) -> String? {
        ended.project.upstream == nil ? link.code.confirmationNumber(by: secrets, of: ended.stored) : nil
    }

    private func authority(of project: Project) -> any CodeAuthority { project.upstream == nil ? own : upstream }
}

extension Inspection {
    /// The action of a live code. Throws the API's error for each other state.
    public func pending() throws(ActionError) -> PendingAction {
        switch self {
        case .live(let pending): pending
        case .expired: throw .refused(.expiredOobCode)
        // Its holder has the code, whose page says the same.
        case .withdrawn(let ended) where ended.accountIsDisabled: throw .refused(.userDisabled)
        case .used, .withdrawn, .unknown: throw .refused(.invalidOobCode)
        case .uncertain: throw .refused(.invalidOobCode, detail: "It is not known whether an earlier request applied the code")
        }
    }
}
