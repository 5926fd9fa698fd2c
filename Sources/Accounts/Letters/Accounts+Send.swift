internal import Base

extension Accounts {
    /// Creates a code that was asked for by the API (`send`). A refusal that tells of another's
    /// account is the answer to a question, and costs as much as one; a mail that was sent has cost
    /// its own.
    public func send(_ request: CodeRequest, from client: Client) async throws(ActionError) -> IssuedCode? {
        var request = request
        request.client = client
        guard request.mails else { return try await send(request) }
        let account: AccountID? = if case .account(let account) = request.subject { account.id } else { nil }
        let mail: LimitedAttempt = request.action == .resetPassword ? .reset : .mail(account: account)
        do throws(ActionError) {
            return try await counted(by: [mail], from: client, in: request.project) { [request] () throws(ActionError) in
                try await send(request)
            }
        } catch {
            if [.emailNotFound, .userNotFound, .emailExists, .adminOnlyOperation].contains(error.refusal) {
                try await counted(by: [.probe], from: client, in: request.project) {}
            }
            throw error
        }
    }

    /// The subject of a request that a user makes for their own account. Refuses
    /// `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` for another address. A first address counts as linking,
    /// because anonymous users cannot sign in again.
    public func subject(of action: Action, for user: SignedInUser) throws(ActionError) -> CodeRequest.Subject {
        if action.setsNewAddress {
            try user.account.email == nil ? requireRecentSignIn(toLink: user) : requireRecentSignIn(of: user)
        }
        return .account(user.account)
    }

    /// Creates a code with its link and, if requested, its mail.
    ///
    /// Refuses what Identity Toolkit's `sendOobCode` refuses, such as unknown accounts and
    /// addresses in use.
    /// - Returns: the link; nil if none was created in a project that hides its accounts. The
    ///   caller must not learn this, so the same amount of work was done.
    public func send(_ request: CodeRequest) async throws(ActionError) -> IssuedCode? {
        guard request.action != .signIn || request.project.signIn.emailLink else {
            throw .refused(.operationNotAllowed, detail: "Signing in by e-mail link is switched off for this project")
        }
        guard request.action != .resetPassword || request.project.signIn.password else {
            throw .refused(.passwordLoginDisabled, detail: "Passwords are switched off for this project")
        }
        // Any app on the phone may have registered the scheme, and would get the code (R16).
        if request.action == .signIn, request.settings.continueURL?.url.isWeb == false {
            throw .refused(.unauthorizedDomain, detail: "continueUrl: A sign-in link leads to a web page, which may be an app's")
        }
        let recipient = try recipient(of: request)
        let found = try await lookUp(request, to: recipient)
        let isDecoy = try isDecoy(request, for: found)
        if let providers = found.providersInstead, request.isByAdmin || !request.mails {
            throw .refused(.passwordLoginDisabled, detail: "The account signs in with \(providers), and passwordByReset is off")
        }
        let answer = answer(to: request, from: recipient, for: found, isDecoy: isDecoy)
        guard request.mails, !isDecoy, !request.isByAdmin else {
            guard let answer else { return try await store(request, to: recipient, for: found, isDecoy: isDecoy) }
            return try await limiter.countingNoAccountMail(from: request.client, in: request.project) { (isExcess) throws(ActionError) in
                try await store(request, to: recipient, for: found, isDecoy: true, answeredBy: isExcess ? nil : answer)
            }
        }
        return try await limiter.countingMail(request.action, to: recipient, in: request.project.id) {
            (excess) throws(ActionError) in
            // A request for one mail too many looks like any other.
            if let excess, !request.project.hidesAccounts { throw excess }
            return try await store(
                request, to: recipient, for: found, isDecoy: excess != nil, answeredBy: excess == nil ? answer : nil)
        }
    }

    /// The mail that answers a request in place of one with a link: that the account signs in by
    /// providers, or that there is none.
    private func answer(to request: CodeRequest, from recipient: EmailAddress, for found: Found, isDecoy: Bool) -> StoredMail? {
        if !isDecoy, let account = found.account, let providers = found.providersInstead {
            return drafts.notice(.noPassword, to: recipient, provider: providers, for: account, by: request.client, in: request.project)
        }
        guard isDecoy, found.account == nil, !found.stopsNotices, request.action == .resetPassword, request.project.notices[.noAccount]
        else { return nil }
        return drafts.notice(
            .noAccount, to: recipient, language: request.language, for: nil, by: request.client, in: request.project)
    }

    /// Stores the code and the mail of a request, or a decoy.
    /// - Parameter answer: the mail in place of the link's, which is a decoy then.
    private func store(
        _ request: CodeRequest, to recipient: EmailAddress, for found: Found, isDecoy: Bool, answeredBy answer: StoredMail? = nil
    ) async throws(ActionError) -> IssuedCode? {
        let (project, moment) = (request.project.id, now())
        let wish = found.account.flatMap { Wish(request.action, to: recipient, of: $0.id) }
        // An account of a decoy would cost an index entry and a foreign key (B1).
        let isDecoy = isDecoy || answer != nil
        var drafted = request
        drafted.mails = request.mails && answer == nil
        var draft = drafts.draft(drafted, to: recipient, for: isDecoy ? nil : found.account, waysIn: found.waysIn, isDecoy: isDecoy)
        draft.mail = draft.mail ?? answer
        let (prepared, isAnswered) = (draft, answer != nil)
        // Asked of every address, because the time to ask can be measured (B1).
        let answersStrangers = request.action == .resetPassword && !request.isByAdmin && request.project.notices[.noAccount]
        let digest = outbox.digest(of: recipient, in: project)
        try await store.transaction { (records) throws(ActionError) in
            try Self.confirm(request, in: records)
            if let wish {
                try records.supersedeCodes(of: wish.account, in: project, for: wish.action, exceptTo: wish.target, at: moment)
            }
            let mayAnswer = answersStrangers ? try records.isDue(.noAccount, to: digest, in: project, at: moment) : true
            try prepared.store(in: records)
            // The mail is stored and deleted again, because the time to store one can be measured
            // (B1).
            if isDecoy, !isAnswered || found.account == nil && !mayAnswer, let mail = prepared.mail { try records.delete(mail) }
        }
        guard !isDecoy else { return nil }
        drafts.observe(prepared.issued)
        return prepared.issued
    }

    /// Confirms that a signed-in account is unchanged since its ID token was verified, and stores
    /// the language of its client, which later mails use. Refuses `TOKEN_EXPIRED`.
    private static func confirm(_ request: CodeRequest, in records: any Records) throws(ActionError) {
        guard case .account(let seen) = request.subject else { return }
        guard var account = try records.account(seen.id, in: seen.project), account.isUnchanged(since: seen) else {
            throw .refused(.tokenExpired)
        }
        guard let language = request.language, account.language != language else { return }
        account.language = language
        try records.update(account)
    }

    /// Sends a new link for one that has ended, to the same address with the same settings. The
    /// caller does not learn whether a mail was sent.
    public func sendAgain(_ ended: EndedAction, from client: Client) async throws(ActionError) {
        try await counted(by: [.mail()], from: client, in: ended.project) { () throws(ActionError) in
            try await mailAgain(ended, to: client)
        }
    }

    private func mailAgain(_ ended: EndedAction, to client: Client) async throws(ActionError) {
        guard let code = ended.stored, let recipient = ended.recipient, ended.newerSince == nil else { return }
        let settings = (try? ApprovedSettings(stillAllowed: code.settings, in: ended.project)) ?? ApprovedSettings(in: ended.project)
        var request = CodeRequest(code.action, for: .address(recipient), with: settings)
        request.language = code.language
        (request.client, request.isSentAgain) = (client, true)
        try await sendQuietly(request)
    }

    /// Mails a password reset to an account, as the pages after an undo offer it. The caller does
    /// not learn whether a mail was sent. An upstream mails its own.
    /// - Parameter link: the link of the undo.
    public func sendPasswordReset(
        to email: EmailAddress, after link: ActionLink, language: String?, in project: Project, from client: Client
    ) async throws(ActionError) {
        try await counted(by: [.reset], from: client, in: project) { () throws(ActionError) in
            try await mailPasswordReset(to: email, after: link, language: language, in: project, for: client)
        }
    }

    private func mailPasswordReset(
        to email: EmailAddress, after link: ActionLink, language: String?, in project: Project, for client: Client
    ) async throws(ActionError) {
        guard project.upstream == nil else {
            return try await upstream.sendPasswordReset(to: email, after: link, language: language, in: project)
        }
        var request = CodeRequest(.resetPassword, for: .address(email), with: ApprovedSettings(in: project))
        request.language = language
        (request.client, request.isSentAgain) = (client, true)
        try await sendQuietly(request)
    }

    private func sendQuietly(_ request: CodeRequest) async throws(ActionError) {
        do {
            _ = try await send(request)
        } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// An account's wish for an address. Only the newest counts: a request for another one ends the
    /// links of the former, even if it gets none (A2).
    private struct Wish: Sendable {
        let action: Action
        let target: EmailAddress
        let account: AccountID

        /// Nil for an action that does not verify an address.
        init?(_ action: Action, to target: EmailAddress, of account: AccountID) {
            guard action.verifiesAddress else { return nil }
            (self.action, self.target, self.account) = (action, target, account)
        }
    }

    /// The rows on which the decision about a request depends.
    private struct Found: Sendable {
        var account: Account?
        var newEmailIsTaken = false
        var waysIn: WaysIn?
        /// The names of the account's providers, if a reset gives it no password.
        var providersInstead: String?
        /// Whether the mailbox of the recipient does not exist, by what relays and providers
        /// reported.
        var isSuppressed = false
        /// Whether the recipient gets no notices.
        var stopsNotices = false
    }

    /// Reads the rows that the request does not contain. The account of an ID token was read when
    /// the token was verified, and the transaction confirms it.
    private func lookUp(_ request: CodeRequest, to recipient: EmailAddress) async throws(ActionError) -> Found {
        let (digest, moment) = (outbox.digest(of: recipient, in: request.project.id), now())
        return try await store.read { (records) throws(ActionError) in
            var found = Found()
            let suppressions = try records.suppressions(of: digest, in: request.project.id, at: moment)
            found.isSuppressed = suppressions.contains { $0.stops(.action(request.action)) }
            found.stopsNotices = !suppressions.isEmpty
            switch request.subject {
            case .address(let email): found.account = try records.account(withEmail: email, in: request.project.id)
            case .account(let seen): found.account = seen
            }
            if let account = found.account, request.action.verifiesAddress {
                let providers = try records.linkedProviders(of: account.id, in: account.project)
                found.waysIn = WaysIn(to: account, by: providers, in: request.project)
            }
            if let account = found.account, request.action.setsPassword, !request.project.passwordByReset {
                let facts = try records.passwordFacts(of: account, in: request.project)
                if facts.isRefused(in: request.project) { found.providersInstead = facts.providers.joined(separator: " · ") }
            }
            if let newEmail = request.newEmail {
                found.newEmailIsTaken = try records.account(withEmail: newEmail, in: request.project.id) != nil
            }
            return found
        }
    }

    /// Whether the requested code is a decoy, which costs the same work but never works: if a
    /// refusal would reveal whether an account exists, or the mail would not arrive (B1).
    private func isDecoy(_ request: CodeRequest, for found: Found) throws(ActionError) -> Bool {
        guard let refusal = refusal(of: request, for: found) else {
            return request.mails && (found.isSuppressed || found.providersInstead != nil && found.stopsNotices)
        }
        guard request.project.hidesAccounts, request.mails else { throw .refused(refusal) }
        return true
    }

    /// The address that the mail goes to: the new one if the action sets one.
    private func recipient(of request: CodeRequest) throws(ActionError) -> EmailAddress {
        let recipient = request.action.setsNewAddress ? request.newEmail : request.email
        guard let recipient else { throw .refused(request.action.setsNewAddress ? .missingNewEmail : .missingEmail) }
        return recipient
    }

    /// The reason to refuse a request, which a project that hides its accounts does not report.
    private func refusal(of request: CodeRequest, for found: Found) -> Refusal? {
        switch found.account {
        case nil where request.action == .signIn: request.project.refusal(ofSignUpWith: request.email)?.refusal
        case nil: request.action == .resetPassword ? .emailNotFound : .userNotFound
        case let account? where account.disabled: .userDisabled
        case _ where found.newEmailIsTaken: .emailExists
        case _: nil
        }
    }
}
