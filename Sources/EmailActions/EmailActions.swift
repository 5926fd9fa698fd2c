package import Accounts
/// Each module that handles codes handles their actions.
@_exported public import enum AppLinks.Action

/// The whole way of a link: it is asked for and mailed (`send`), looked at (`inspect`), applied once (`press`, `redeem`); the outcome knows
/// where the person continues.
package struct EmailActions: Sendable {
    package let outbox: Outbox
    let own: LocalAuthority
    let upstream: UpstreamAuthority
    let store: any ActionStore
    let passwords: Passwords
    let drafts: CodeDrafts
    let now: Now

    /// - Parameters:
    ///   - linkKey: the API key that stands in a project's links.
    ///   - upstreams: the Identity Toolkit at a base URL, for projects that are not Onward's own; default: there are no such projects.
    ///   - observe: told of every code once it is stored; default: nobody listens.
    package init(
        store: any ActionStore, passwords: Passwords, outbox: Outbox, secrets: Secrets, linkKey: @escaping @Sendable (Project) -> String,
        now: @escaping Now, random: @escaping RandomBytes, upstreams: @escaping UpstreamAuthority.Toolkits = { _ in nil },
        observe: @escaping @Sendable (IssuedCode) -> Void = { _ in }
    ) {
        self.store = store
        self.passwords = passwords
        self.outbox = outbox
        self.now = now
        drafts = CodeDrafts(
            outbox: outbox, secrets: secrets, linkKey: linkKey, now: now, random: random, rowIDs: CodeRowIDs(), observe: observe)
        own = LocalAuthority(store: store, passwords: passwords, secrets: secrets, drafts: drafts, now: now)
        upstream = UpstreamAuthority(toolkits: upstreams, store: store, secrets: secrets, now: now)
    }

    /// The way in for accounts that were made elsewhere.
    package var imports: UserImport { UserImport(store: store, passwords: passwords, now: now) }

    /// Looks at the code of a link and changes nothing (C6).
    package func inspect(
        _ link: ActionLink, in project: Project
    ) async throws(ActionError) -> Inspection {
        try await authority(of: project).inspect(link, in: project)
    }

    /// The same for a code that came by the API, which only projects of Onward's own have.
    package func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection {
        try await own.inspect(code, in: project)
    }

    /// The button of a link's page was pressed: what needs no more than that is done, exactly once.
    package func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> PressResult {
        try await authority(of: project).press(link, in: project)
    }

    /// Does what a live code allows, exactly once.
    package func redeem(_ pending: PendingAction, with input: RedeemInput = .press) async throws(ActionError) -> Outcome {
        try await authority(of: pending.project).redeem(pending, with: input)
    }

    private func authority(of project: Project) -> any CodeAuthority { project.upstream == nil ? own : upstream }
}

extension Inspection {
    /// The one answer that the API has for each kind of code that does not work.
    package func pending() throws(ActionError) -> PendingAction {
        switch self {
        case .live(let pending): pending
        case .expired: throw .refused(.expiredOobCode)
        case .used, .withdrawn, .unknown: throw .refused(.invalidOobCode)
        }
    }
}
