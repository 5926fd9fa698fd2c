package import Accounts

extension EmailActions {
    /// Makes a code with its link and, where asked, the mail.
    ///
    /// Nil: nothing was made, but the caller must not learn that (the project hides accounts); the same work was done.
    /// Refuses what `ApprovedSettings` refuses, and as Identity Toolkit's `sendOobCode` does for unknown accounts and taken addresses.
    package func send(_ request: CodeRequest, in project: Project) async throws(ActionError) -> IssuedCode? {
        _ = try ApprovedSettings(request.settings, in: project)
        guard request.action != .signIn || project.signIn.emailLink else {
            throw .refused(.operationNotAllowed, detail: "Signing in by e-mail link is switched off for this project")
        }
        let found = try await lookUp(request, in: project)
        let purpose = try purpose(of: request, for: found, in: project)
        let draft = try drafts.draft(purpose, for: found.account, in: project)
        try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try Self.remember(request, records)
            try draft.store(in: records)
            // Written like a real one, because a row is what could be measured; nobody ever sees it (B1).
            if purpose.isDecoy, let mail = draft.mail { try records.delete(mail) }
        }
        guard !purpose.isDecoy else { return nil }
        drafts.observe(draft.issued)
        return draft.issued
    }

    /// A signed-in person must still be who they were. Their client knows their language; mails written without a client use it later.
    private static func remember(_ request: CodeRequest, _ records: any ActionRecords) throws(ActionError) {
        guard case .account(let seen) = request.subject else { return }
        guard var account = try records.account(seen.id, in: seen.project), account.isUnchanged(since: seen) else {
            throw .refused(.tokenExpired)
        }
        guard let language = request.language, account.language != language else { return }
        account.language = language
        try records.update(account)
    }

    /// Sends a fresh link in place of one that is over, to the same address with the same settings. Says nothing about whether it did.
    package func sendAgain(_ ended: EndedAction) async throws(ActionError) {
        guard let code = ended.stored, let recipient = ended.recipient, ended.newerSince == nil else { return }
        var request = CodeRequest(code.action, for: .address(recipient))
        request.language = code.language
        request.settings = (try? ApprovedSettings(code.settings, in: ended.project)) == nil ? ActionCodeSettings() : code.settings
        try await sendQuietly(request, in: ended.project)
    }

    /// Mails a password reset to an account, as recovering and reverting offer it. Says nothing about whether it did.
    /// Refuses `OPERATION_NOT_ALLOWED` where the accounts are an upstream's.
    package func sendPasswordReset(to email: EmailAddress, language: String?, in project: Project) async throws(ActionError) {
        guard project.upstream == nil else { throw .refused(.operationNotAllowed) }
        var request = CodeRequest(.resetPassword, for: .address(email))
        request.language = language
        try await sendQuietly(request, in: project)
    }

    private func sendQuietly(_ request: CodeRequest, in project: Project) async throws(ActionError) {
        do {
            _ = try await send(request, in: project)
        } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// What the store knows of the people in a request.
    private struct Found: Sendable {
        let account: Account?
        let newEmailIsTaken: Bool
    }

    private func lookUp(_ request: CodeRequest, in project: Project) async throws(ActionError) -> Found {
        try await store.read { (records: any ActionRecords) throws(ActionError) in
            let account =
                switch request.subject {
                case .address(let email): try records.account(withEmail: email, in: project.id)
                case .account(let seen): try records.account(seen.id, in: project.id)
                }
            let taken = try request.newEmail.map { (email) throws(ActionError) in
                try records.account(withEmail: email, in: project.id) != nil
            }
            return Found(account: account, newEmailIsTaken: taken ?? false)
        }
    }

    /// What the code will be for. Where a real one would tell that an account exists or not, a decoy: the work of a real code, which
    /// nobody gets to redeem (B1).
    private func purpose(of request: CodeRequest, for found: Found, in project: Project) throws(ActionError) -> CodePurpose {
        var purpose = CodePurpose(request.action, email: try email(of: request, for: found))
        purpose.settings = request.settings
        purpose.language = request.language
        purpose.apiKey = request.apiKey
        purpose.mails = request.mails
        if request.action == .verifyAndChangeEmail {
            guard let newEmail = request.newEmail else { throw .refused(.missingNewEmail) }
            purpose.newEmail = newEmail
        }
        guard let no = objection(to: request, for: found) else { return purpose }
        guard project.hidesAccounts, request.mails else { throw .refused(no) }
        purpose.isDecoy = true
        return purpose
    }

    private func email(of request: CodeRequest, for found: Found) throws(ActionError) -> EmailAddress {
        switch request.subject {
        case .address(let asked): return asked
        case .account:
            guard let account = found.account else { throw .refused(.userNotFound) }
            guard let email = account.email else { throw .refused(.missingEmail) }
            return email
        }
    }

    /// What may only be said where accounts are not hidden.
    private func objection(to request: CodeRequest, for found: Found) -> Refusal? {
        switch found.account {
        case nil where request.action == .signIn: nil
        case nil: request.action == .resetPassword ? .emailNotFound : .userNotFound
        case let account? where account.disabled: .userDisabled
        case _ where found.newEmailIsTaken: .emailExists
        case _: nil
        }
    }
}
