internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import Views

extension Site {
    /// Says what will happen, to which account, where it leads, and asks for the press of a button.
    ///
    /// - Parameter missing: what an upstream asks of a password beside what the project's own policy does.
    func confirm(
        _ pending: PendingAction, _ link: ActionLink, _ context: PageContext, problems: [PasswordProblem] = [],
        missing: PasswordShortcomings? = nil
    ) -> Response {
        let destination = pending.destination(link: link)
        let token = formTokens.issue(for: .redeem, of: link)
        if context.request.wantsJSON { return .json(.ok, json(pending, destination, token)) }
        // Where the person goes on to is stored with the code, but for an upstream's.
        let sends = { (name: String) in name != "continueUrl" || pending.project.upstream != nil }
        let sent = link.query.compactMap { sends($0.name) ? Form.Field($0.name, $0.value) : nil } + [Form.Field("token", token)]
        let confirmation = Confirmation(
            pending.action.words, form: Form(path: context.path, hidden: sent),
            account: pending.email, newAccount: pending.action == .verifyAndChangeEmail ? pending.newEmail : nil,
            factor: pending.factorName, destination: destination.host,
            expires: pending.expiresAt.map(date), newerSent: pending.newerSince.map(date),
            rules: pending.project.passwordPolicy.asking(missing).rules, problems: problems)
        return render(
            .confirm(confirmation), context, problems.isEmpty ? .ok : .unprocessableContent, formTarget: formTarget(of: destination))
    }

    /// Chromium holds a form's whole chain of redirects to `form-action`, also those that the app's own site adds behind its
    /// continue URL. So the scheme of the destination is admitted, not just its host: a person who pressed the button must arrive.
    private func formTarget(of destination: Destination) -> String? {
        destination.scheme.map { "\($0):" }
    }
}

extension PasswordPolicy {
    /// The same with the lengths that an upstream asks for.
    fileprivate func asking(_ missing: PasswordShortcomings?) -> PasswordPolicy {
        var policy = self
        policy.minimumLength = missing?.minimumLength ?? minimumLength
        policy.maximumLength = missing?.maximumLength ?? maximumLength
        return policy
    }

    /// As the page says them beforehand. A limit that no person reaches is left out.
    fileprivate var rules: PasswordRules {
        var rules = PasswordRules(minimum: minimumLength, maximum: maximumLength < 1000 ? maximumLength : nil)
        guard isEnforced else { return rules }
        rules.needsLowercase = requires.contains(.lowercase)
        rules.needsUppercase = requires.contains(.uppercase)
        rules.needsDigit = requires.contains(.numeric)
        rules.needsSymbol = requires.contains(.nonAlphanumeric)
        return rules
    }
}

extension Action {
    var words: LinkAction {
        switch self {
        case .resetPassword: .resetPassword
        case .verifyEmail: .verifyEmail
        case .signIn: .signIn
        case .verifyAndChangeEmail: .verifyAndChangeEmail
        case .recoverEmail: .recoverEmail
        case .revertSecondFactorAddition: .revertSecondFactorAddition
        }
    }
}
