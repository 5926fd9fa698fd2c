internal import AppLinks
internal import Base

/// Creates codes with their links and letters, before the transaction that stores them.
struct CodeDrafts: Sendable {
    let outbox: Outbox
    let secrets: Secrets
    let linkKey: @Sendable (Project) -> String
    let mailHasNumber: Accounts.MailHasNumber
    let now: Now
    let random: RandomBytes
    let rowIDs: RowIDs
    /// Called with every code once its transaction is committed.
    let observe: @Sendable (IssuedCode) -> Void

    /// A code with its link and mail, ready to be stored.
    struct Draft: Sendable {
        let issued: IssuedCode
        let stored: StoredCode
        let mail: StoredMail?

        func store(in records: any Records) throws(ActionError) {
            try records.insert(stored)
            if let mail { try records.post(mail) }
        }
    }

    /// Creates a code, its link and its mail.
    /// - Parameter account: the code's account; nil for a sign-in link to an address without an
    ///   account, and for a decoy.
    func draft(_ purpose: CodePurpose, for account: Account?) -> Draft {
        let (settings, project) = (purpose.settings, purpose.project)
        let language = purpose.language ?? account?.language ?? project.language
        let moment = now()
        let rowID = rowIDs.next()
        let code = OobCode(rowID: rowID, random: random, keyedBy: secrets)
        let expiresAt = moment + project.lifetimes[purpose.action]
        let key = code.key(by: secrets)
        let stored =
            purpose.isDecoy
            ? StoredCode.decoy(key, in: project.id, email: purpose.recipient, createdAt: moment)
            : StoredCode(
                key: key, project: project.id, action: purpose.action, account: account?.id, email: purpose.email,
                newEmail: purpose.newEmail, secondFactor: purpose.secondFactor?.id, settings: settings.requested, language: language,
                createdAt: moment, expiresAt: expiresAt,
                mailHasNumber: purpose.mails && mailHasNumber(purpose.template, language, project), isMailed: purpose.mails,
                device: purpose.requester.device)
        let link = ActionLink(
            action: purpose.action, code: code, apiKey: purpose.apiKey ?? linkKey(project),
            continueURL: settings.continueURLInLinks, language: language)
        let issued = IssuedCode(
            action: purpose.action, project: project.id, code: code, email: purpose.email, newEmail: purpose.newEmail,
            link: settings.mailedLink(for: link.url(on: project.actionURL)), expiresAt: expiresAt)
        guard purpose.mails else { return Draft(issued: issued, stored: stored, mail: nil) }
        var letter = Letter(.action(purpose.action), to: purpose.recipient, language: language, createdAt: moment)
        letter.displayName = account?.displayName
        letter.otherEmail = purpose.addsAddress ? nil : purpose.recipient == purpose.email ? purpose.newEmail : purpose.email
        letter.accountCreatedAt = purpose.addsAddress ? account?.createdAt : nil
        letter.secondFactor = purpose.secondFactor?.shownName
        letter.link = issued.link
        letter.expiresAt = expiresAt
        letter.confirmationNumber = code.confirmationNumber(by: secrets)
        letter.device = purpose.requester.device
        letter.waysIn = purpose.waysIn
        let mail = outbox.row(
            letter, id: rowIDs.next(), in: project.id, account: account?.id, code: rowID, from: purpose.requester.network)
        return Draft(issued: issued, stored: stored, mail: mail)
    }

    /// Creates a mail without a link.
    func notice(
        _ kind: LetterKind.Notice, to recipient: EmailAddress, otherEmail: EmailAddress? = nil, secondFactor: String? = nil,
        provider: String? = nil, for account: Account, in project: Project
    ) -> StoredMail {
        var letter = Letter(.notice(kind), to: recipient, language: account.language ?? project.language, createdAt: now())
        letter.displayName = account.displayName
        letter.otherEmail = otherEmail
        letter.secondFactor = secondFactor
        letter.provider = provider
        // A mail of a deleted account must not end with it.
        return outbox.row(letter, id: rowIDs.next(), in: project.id, account: kind == .accountDeleted ? nil : account.id)
    }
}

/// The purpose of a code: its action, its addresses and its approved settings.
struct CodePurpose: Sendable {
    let action: Action
    let email: EmailAddress
    var newEmail: EmailAddress?
    var secondFactor: SecondFactor?
    let settings: ApprovedSettings
    var language: String?
    var apiKey: String?
    var mails = true
    var requester = Requester.unknown
    /// The ways to sign in to the account, for a mail that asks to confirm its address.
    var waysIn: WaysIn?
    /// Whether the code exists only so that a request for an unknown account costs as much as one
    /// for a known account (B1). It is never mailed and never works.
    var isDecoy = false

    var project: Project { settings.project }

    init(_ action: Action, email: EmailAddress, settings: ApprovedSettings) {
        self.action = action
        self.email = email
        self.settings = settings
    }

    /// The recipient of the mail: the new address if the action sets one, otherwise the account's
    /// address.
    var recipient: EmailAddress { action.setsNewAddress ? newEmail ?? email : email }

    /// Whether the account has no address, and gets `email`.
    var addsAddress: Bool { action.setsNewAddress && newEmail == email }

    /// As `Letter.template`.
    var template: LetterKind? { addsAddress ? nil : .action(action) }
}

extension ApprovedSettings {
    /// The link as mailed: an app link if the app handles the code and the settings or the project
    /// name an app or a link domain; otherwise the URL of the page.
    func mailedLink(for page: WebURL) -> String {
        let concernsApps =
            requested.namesAnApp || requested.linkDomain != nil || requested.dynamicLinkDomain != nil || !project.apps.isEmpty
        guard requested.handleCodeInApp, concernsApps, let link = appLink(to: page) else { return page.serialized }
        return link.url.serialized
    }
}

extension StoredCode {
    /// A row that is withdrawn from the start and has no account. It has expired from the start,
    /// too, so that queries for live codes do not read the decoys of an address: they look for
    /// codes that expire later, by an index.
    fileprivate static func decoy(_ key: CodeKey, in project: ProjectID, email: EmailAddress, createdAt: Timestamp) -> StoredCode {
        StoredCode(
            key: key, project: project, action: .signIn, account: nil, email: email, createdAt: createdAt, expiresAt: createdAt,
            end: .withdrawn, endedAt: createdAt)
    }
}
