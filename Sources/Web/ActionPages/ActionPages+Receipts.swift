internal import Accounts
internal import HTTPTypes
internal import Logging
internal import Views

extension ActionPages {
    /// The page after an action, or after a mail was sent; a sealed receipt says which.
    func showReceipt(_ request: Request) async -> Response {
        guard let sealed = request["receipt"], let receipt = receipts.open(sealed), let link = receipt.link,
            let project = projects.value.project(apiKey: link.apiKey)
        else {
            return renderer.error(.receiptMissing(isTooOld: receipts.isTooOld(request["receipt"])), PageContext(withoutLink: request))
        }
        let context = PageContext(
            request, project: project, link: link, receipt: receipt, sealed: sealed, language: request["lang"])
        do {
            switch (receipt.kind, try await inspect(link, after: receipt, in: project)) {
            case (.done, .used(let ended)):
                let remaining =
                    receipt.choice?.hasOwnPage == true ? [] : try await accounts.remainingWays(after: ended)
                return done(ended, receipt, link, project, context, remaining: remaining)
            case (.sentLink, .used): return renderer.page(.sent(MailSentPage(.newLink, account: nil)), context)
            case (.sentLink, .expired(let ended)), (.sentLink, .withdrawn(let ended)):
                return renderer.page(.sent(MailSentPage(.newLink, account: ended.recipient?.masked)), context)
            case (.sentReset, .used):
                return renderer.page(.sent(MailSentPage(.passwordReset, account: receipt.account.map(EmailAddress.shown))), context)
            default: return renderer.error(.receiptMissing(isTooOld: true), context)
            }
        } catch {
            // The receipt proves what was done, also while the store cannot be read.
            guard case .unavailable = error, receipt.kind == .done else { return renderer.error(.failed(error), context) }
            return done(nil, receipt, link, project, context)
        }
    }

    private func inspect(_ link: ActionLink, after receipt: Receipt, in project: Project) async throws(ActionError) -> Inspection {
        receipt.kind == .sentLink
            ? try await accounts.inspect(link, in: project) : try await accounts.inspect(applied: link, in: project)
    }

    /// The form that lets a user who undid a change ask for a password reset.
    /// - Parameter receipt: the sealed receipt of the undo.
    func resetForm(_ receipt: String, _ context: PageContext) -> Form {
        Form(path: Self.resetPath, hidden: [Form.Field("receipt", receipt), Form.Field("lang", renderer.language(of: context).code)])
    }

    /// The page after an action.
    /// - Parameter ended: the code as the store has it; nil if it cannot be read.
    private func done(
        _ ended: EndedAction?, _ receipt: Receipt, _ link: ActionLink, _ project: Project, _ context: PageContext,
        remaining: [RemainingWay] = []
    ) -> Response {
        if let choice = receipt.choice, choice.hasOwnPage {
            let page = CompletionPage(receipt.action, choice: choice)
            return renderer.page(.done(page), context)
        }
        let destination = ended?.destination(link: link) ?? Destination(backFrom: link, to: project)
        let newPassword = receipt.resetLink(in: renderer.language(of: context).code).map { link in
            Form(path: Self.path, hidden: link.query.map { Form.Field($0.name, $0.value) })
        }
        let address = newPassword == nil ? ended.flatMap { addressToSecure($0, receipt) } : nil
        let goesOn = destination.opensWithoutPress && remaining.isEmpty
        let page = CompletionPage(
            receipt.action, account: receipt.account.map(EmailAddress.shown), newAccount: receipt.newAccount.map(EmailAddress.shown),
            factor: receipt.factor,
            next: continueLink(destination, context), stay: goesOn ? stayForm(receipt, context) : nil,
            isBrief: project.upstream != nil, addressChange: receipt.addressChange,
            passwordReset: address.map { _ in resetForm(context.fields.first?.value ?? "", context) },
            newPassword: newPassword, isFirstPassword: receipt.choosesFirstPassword == true,
            remaining: remaining.map { removal(of: $0, context) }, welcomes: receipt.welcomes == true)
        return renderer.page(.done(page), context)
    }

    private func removal(of way: RemainingWay, _ context: PageContext) -> CompletionPage.Remaining {
        let fields = context.fields + [Form.Field("lang", renderer.language(of: context).code)]
        let factor = way.secondFactor.map { [Form.Field("secondFactor", $0)] } ?? []
        return .init(name: way.name, form: Form(path: Self.removePath, hidden: fields + factor))
    }

    /// Removes what an undo or a reset left, and shows the page after it again.
    func removeRemaining(_ request: Request) async -> Response {
        guard let (form, sealed, receipt, link, project) = applied(by: request) else {
            return renderer.error(.receiptRefused, PageContext(request))
        }
        let language = form.first { $0.name == "lang" }?.value
        let context = PageContext(request, project: project, link: link, receipt: receipt, sealed: sealed, language: language)
        do throws(ActionError) {
            guard case .used(let ended) = try await accounts.inspect(applied: link, in: project) else {
                return renderer.error(.receiptRefused, context)
            }
            try await accounts.remove(remaining: form.first { $0.name == "secondFactor" }?.value, after: ended, from: request.client)
            var next = receipt
            next.language = language ?? receipt.language
            return .seeOther(Self.donePath + "?receipt=" + (try receipts.seal(.done, after: next, in: next.language)))
        } catch { return renderer.error(.failed(error), context) }
    }

    /// The form of a page after an action, with the receipt of that action; nil if it is refused.
    private func applied(by request: Request) -> AppliedForm? {
        guard sameOrigin.accepts(request), let form = request.form, let sealed = form.first(where: { $0.name == "receipt" })?.value,
            let receipt = receipts.open(sealed), receipt.kind == .done, let link = receipt.link,
            let project = projects.value.project(apiKey: link.apiKey)
        else { return nil }
        return (form, sealed, receipt, link, project)
    }

    private typealias AppliedForm = (
        form: [(name: String, value: String)], sealed: String, receipt: Receipt, link: ActionLink, project: Project
    )

    /// The address that a password reset can be mailed to after an undo; nil if none is offered. An
    /// upstream's code that has ended tells none, so the receipt has it.
    private func addressToSecure(_ ended: EndedAction, _ receipt: Receipt) -> EmailAddress? {
        guard receipt.offersNoReset != true else { return nil }
        if let address = ended.addressToSecure { return address }
        let isOffered = ended.project.upstream != nil && receipt.action.isUndo && ended.project.mailsResetAfterUndo
        return isOffered ? receipt.account.flatMap { EmailAddress($0) } : nil
    }

    /// The form that shows the page once more, so that it stays; nil if it stays anyway: because it
    /// offers more than to go on, or because the user asked for it, in another language as well.
    private func stayForm(_ receipt: Receipt, _ context: PageContext) -> Form? {
        guard !receipt.action.isUndo, context.request["lang"] == nil else { return nil }
        return Form(path: Self.donePath, hidden: context.fields + [Form.Field("lang", renderer.language(of: context).code)])
    }

    /// Sends a new link in place of one that is over. Responds alike whether or not a mail was
    /// sent.
    func sendAgain(_ request: Request) async -> Response {
        guard let form = request.form else { return renderer.error(.notForm, PageContext(request)) }
        let (link, project): (ActionLink, Project)
        do throws(Unreadable) { (link, project) = try read(form, request) } catch { return error.response }
        let context = PageContext(request, project: project, link: link)
        do { _ = try page(of: form, for: .sendAgain, of: link, request) } catch { return renderer.error(error, context) }
        do {
            switch try await accounts.inspect(link, in: project) {
            case .expired(let ended) where ended.recipient != nil, .withdrawn(let ended) where ended.recipient != nil,
                .used(let ended) where ended.action.isAppliedByApp:
                try await accounts.sendAgain(ended, from: request.client)
            case let other: return self.endedPage(other, link, context)
            }
            return .seeOther(Self.donePath + "?receipt=" + (try receipts.seal(.sentLink, link)))
        } catch { return renderer.error(.failed(error), context) }
    }

    /// Sends a password reset after an undo, because the person who changed the address may know
    /// the password as well.
    func sendPasswordReset(_ request: Request) async -> Response {
        guard let (form, sealed, receipt, link, project) = applied(by: request), receipt.action.isUndo else {
            return renderer.error(.receiptRefused, PageContext(request))
        }
        let language = form.first { $0.name == "lang" }?.value
        let context = PageContext(request, project: project, link: link, receipt: receipt, sealed: sealed, language: language)
        do throws(ActionError) {
            guard case .used(let ended) = try await accounts.inspect(applied: link, in: project),
                let email = addressToSecure(ended, receipt)
            else { return renderer.error(.receiptRefused, context) }
            do throws(ActionError) {
                try await accounts.sendPasswordReset(
                    to: email, after: link, language: renderer.language(of: context).code, in: project, from: request.client)
            } catch {
                guard !context.wantsJSON, let offersReset = error.leavesReset else { throw error }
                logger.notice("password reset after an undo not sent", metadata: ["cause": "\(error.cause)", "request": "\(request.id)"])
                // The undo stands: the page says so again, without an offer that cannot be kept.
                var next = receipt
                if !offersReset { next.offersNoReset = true }
                return .seeOther(Self.donePath + "?receipt=" + (try receipts.seal(.done, after: next, in: context.language)))
            }
            return .seeOther(Self.donePath + "?receipt=" + (try receipts.seal(.sentReset, after: receipt, in: context.language)))
        } catch { return renderer.error(.failed(error), context) }
    }
}

extension ActionError {
    /// Whether a password reset that was certainly not sent can be offered again; nil if it may
    /// have been sent, or was not asked for.
    fileprivate var leavesReset: Bool? {
        switch self {
        case .refused: false
        case .unavailable(let down): down.commitState == .notCommitted ? true : nil
        case .tooSoon: nil
        }
    }
}
