internal import Accounts
internal import AppLinks
internal import WebURL

/// Makes codes with their links and letters. Everything is prepared before the transaction that stores it.
struct CodeDrafts: Sendable {
    let outbox: Outbox
    let secrets: Secrets
    let linkKey: @Sendable (Project) -> String
    let now: Now
    let random: RandomBytes
    let rowIDs: CodeRowIDs
    /// Told of every code once it is stored; development's list of codes listens here.
    let observe: @Sendable (IssuedCode) -> Void

    /// A code with its link, ready to be stored.
    struct Draft: Sendable {
        let issued: IssuedCode
        let stored: StoredCode
        let mail: StoredMail?

        func store(in records: any ActionRecords) throws(ActionError) {
            try records.insert(stored)
            if let mail { try records.insert(mail) }
        }
    }

    /// - Parameter account: nil for a sign-in link to an address without an account, and for a decoy.
    func draft(_ purpose: CodePurpose, for account: Account?, in project: Project) throws(ActionError) -> Draft {
        let settings = try ApprovedSettings(purpose.settings, in: project)
        let language = purpose.language ?? account?.language ?? project.language
        let moment = now()
        let code = OobCode(rowID: rowIDs.next(at: moment, random: random), random: random, keyedBy: secrets)
        let expiresAt = moment + project.lifetimes[purpose.action]
        let key = code.key(by: secrets)
        let stored =
            purpose.isDecoy
            ? StoredCode.decoy(key, in: project.id, email: purpose.recipient, createdAt: moment, expiresAt: expiresAt)
            : StoredCode(
                key: key, project: project.id, action: purpose.action, account: account?.id, email: purpose.email,
                newEmail: purpose.newEmail, secondFactor: purpose.secondFactor?.id, settings: purpose.settings, language: language,
                createdAt: moment, expiresAt: expiresAt)
        let link = ActionLink(
            action: purpose.action, code: code, apiKey: purpose.apiKey ?? linkKey(project),
            continueURL: settings.continueURL?.serialized, language: language)
        let issued = IssuedCode(
            action: purpose.action, project: project.id, code: code, email: purpose.email, newEmail: purpose.newEmail,
            link: settings.mailedLink(for: link.url(on: project.actionURL), in: project), expiresAt: stored.expiresAt)
        guard purpose.mails else { return Draft(issued: issued, stored: stored, mail: nil) }
        var letter = Letter(purpose.letter, to: purpose.recipient, language: language)
        letter.displayName = account?.displayName
        letter.otherEmail = purpose.recipient == purpose.email ? purpose.newEmail : purpose.email
        letter.secondFactor = purpose.secondFactor.flatMap { $0.displayName ?? $0.phoneNumber }
        letter.link = issued.link
        letter.expiresAt = stored.expiresAt
        return Draft(issued: issued, stored: stored, mail: try outbox.row(letter, in: project))
    }

    /// A notice without a link.
    func notice(
        _ kind: LetterKind, to recipient: EmailAddress, otherEmail: EmailAddress? = nil, secondFactor: String? = nil, for account: Account,
        in project: Project
    ) throws(ActionError) -> StoredMail {
        var letter = Letter(kind, to: recipient, language: account.language ?? project.language)
        letter.displayName = account.displayName
        letter.otherEmail = otherEmail
        letter.secondFactor = secondFactor
        return try outbox.row(letter, in: project)
    }
}

/// What a code is for, with every address in its place.
struct CodePurpose: Sendable {
    let action: Action
    let email: EmailAddress
    var newEmail: EmailAddress?
    var secondFactor: SecondFactor?
    var settings = ActionCodeSettings()
    var language: String?
    var apiKey: String?
    var mails = true
    /// Made only so that its making takes as long as a real one's; nobody gets it.
    var isDecoy = false

    init(_ action: Action, email: EmailAddress) {
        self.action = action
        self.email = email
    }

    /// A change is confirmed by the new address; everything else by the one it is about.
    var recipient: EmailAddress { action == .verifyAndChangeEmail ? newEmail ?? email : email }

    var letter: LetterKind {
        switch action {
        case .resetPassword: .resetPassword
        case .verifyEmail: .verifyEmail
        case .signIn: .signIn
        case .verifyAndChangeEmail: .verifyAndChangeEmail
        case .recoverEmail: .recoverEmail
        case .revertSecondFactorAddition: .revertSecondFactorAddition
        }
    }
}

extension ApprovedSettings {
    /// The link as it is mailed: app first where that was asked for and an app or a link domain is in play, else the page itself.
    func mailedLink(for page: WebURL, in project: Project) -> String {
        let concernsApps = asked.namesAnApp || asked.linkDomain != nil || asked.dynamicLinkDomain != nil || !project.apps.isEmpty
        guard asked.handleCodeInApp, concernsApps, let link = appLink(to: page) else { return page.serialized }
        return link.url.serialized
    }
}

extension StoredCode {
    /// A row that was over before it began: nobody's code, of no account.
    fileprivate static func decoy(
        _ key: CodeKey, in project: ProjectID, email: EmailAddress, createdAt: Timestamp, expiresAt: Timestamp
    ) -> StoredCode {
        StoredCode(
            key: key, project: project, action: .signIn, account: nil, email: email, createdAt: createdAt, expiresAt: expiresAt,
            end: .withdrawn, endedAt: createdAt)
    }
}
