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
        var mail: StoredMail?

        func store(in records: any Records) throws(ActionError) {
            try records.insert(stored)
            if let mail { try records.post(mail) }
        }
    }

    /// Creates a code, its link and its mail.
    /// - Parameters:
    ///   - recipient: the address that the mail goes to: the new one if the action sets one.
    ///   - account: the code's account; nil for a sign-in link to an address without an account,
    ///     and for a decoy.
    ///   - factor: the second factor that the code removes.
    ///   - waysIn: the ways to sign in to the account, for a mail that asks to confirm its address.
    ///   - isDecoy: whether the code exists only so that a request for an unknown account costs as
    ///     much as one for a known account (B1). It is never mailed and never works.
    func draft(
        _ request: CodeRequest, to recipient: EmailAddress, for account: Account?, removing factor: SecondFactor? = nil,
        waysIn: WaysIn? = nil, isDecoy: Bool = false
    ) -> Draft {
        let (action, settings, project, newEmail) = (request.action, request.settings, request.project, request.newEmail)
        // An account without an address gets the new one.
        let email = request.email ?? recipient
        let addsAddress = action.setsNewAddress && newEmail == email
        let language = request.language ?? account?.language ?? project.language
        let moment = now()
        let (rowID, device) = (rowIDs.next(), request.client.device)
        let code = OobCode(rowID: rowID, random: random, keyedBy: secrets)
        let kind = request.invites ? LetterKind.invitation : .action(action)
        let expiresAt = moment + project.lifetimes[kind]
        let key = code.key(by: secrets)
        let stored =
            isDecoy
            ? StoredCode.decoy(key, in: project.id, email: recipient, createdAt: moment)
            : StoredCode(
                key: key, project: project.id, action: action, account: account?.id, email: email, newEmail: newEmail,
                secondFactor: factor?.id, settings: settings.requested, language: language, createdAt: moment, expiresAt: expiresAt,
                mailHasNumber: request.mails && mailHasNumber(addsAddress ? nil : kind, language, project),
                isMailed: request.mails, device: device)
        var link = ActionLink(
            action: action, code: code, apiKey: request.apiKey ?? linkKey(project), continueURL: settings.continueURLInLinks,
            language: language)
        link.isInvitation = request.invites
        let issued = IssuedCode(
            action: action, project: project.id, code: code, email: email, newEmail: newEmail,
            link: settings.mailedLink(for: link.url(on: project.actionURL)), expiresAt: expiresAt)
        guard request.mails else { return Draft(issued: issued, stored: stored, mail: nil) }
        var letter = Letter(kind, to: recipient, language: language, createdAt: moment)
        letter.displayName = account?.displayName
        letter.otherEmail = addsAddress ? nil : recipient == email ? newEmail : email
        letter.accountCreatedAt = addsAddress ? account?.createdAt : nil
        letter.secondFactor = factor?.shownName
        letter.link = issued.link
        letter.expiresAt = expiresAt
        letter.confirmationNumber = code.confirmationNumber(by: secrets)
        letter.device = device
        letter.waysIn = waysIn
        letter.isSentAgain = request.isSentAgain
        letter.formerPassword = account?.formerPassword ?? .inForce
        let mail = outbox.row(letter, id: rowIDs.next(), in: project.id, account: account?.id, code: rowID, from: request.client)
        return Draft(issued: issued, stored: stored, mail: mail)
    }

    /// Creates a notice that its project may do without; nil if it does.
    func notice(
        ifMailed kind: LetterKind.Notice, to recipient: EmailAddress?, secondFactor: String? = nil, provider: String? = nil,
        for account: Account, by client: Client, in project: Project
    ) -> StoredMail? {
        guard let recipient, project.notices[kind] else { return nil }
        return notice(kind, to: recipient, secondFactor: secondFactor, provider: provider, for: account, by: client, in: project)
    }

    /// Creates a mail without a link to an action.
    /// - Parameters:
    ///   - client: did what the mail tells, or asked for it.
    ///   - page: where its reader can go on; nil: the project's home page.
    ///   - account: nil for a mail that says that there is none.
    func notice(
        _ kind: LetterKind.Notice, to recipient: EmailAddress, otherEmail: EmailAddress? = nil, secondFactor: String? = nil,
        provider: String? = nil, leadingTo page: WebURL? = nil, language: String? = nil, for account: Account?, by client: Client,
        in project: Project
    ) -> StoredMail {
        var letter = Letter(.notice(kind), to: recipient, language: language ?? account?.language ?? project.language, createdAt: now())
        letter.displayName = account?.displayName
        letter.formerPassword = account?.formerPassword ?? .inForce
        letter.canReset = project.signIn.password && (project.passwordByReset || letter.formerPassword == .inForce)
        letter.otherEmail = otherEmail
        letter.secondFactor = secondFactor
        letter.provider = provider
        letter.device = client.device
        letter.link = (page ?? project.homeURL)?.serialized
        // A mail of a deleted account must not end with it.
        let owner = kind == .accountDeleted ? nil : account?.id
        return outbox.row(letter, id: rowIDs.next(), in: project.id, account: owner, from: client)
    }
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
