internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import Views

extension Site {
    /// The page after the deed, or after a mail was asked for; a sealed receipt says which.
    func donePage(_ request: Request) async -> Response {
        guard let receipt = receipts.open(request["receipt"]), let link = receipt.link,
            let project = projects.project(apiKey: link.apiKey)
        else { return trouble(.init(.pageExpired), .badRequest, PageContext(request)) }
        let context = PageContext(request, project: project, link: link, receipt: receipt)
        do {
            switch (receipt.kind, try await actions.inspect(link, in: project)) {
            case (.done, .used(let ended)): return render(.done(completion(of: ended, receipt, link, context)), context)
            case (.sentLink, .expired(let ended)), (.sentLink, .withdrawn(let ended)):
                return render(.sent(Sending(.newLink, account: ended.recipient?.masked)), context)
            case (.sentReset, .used): return render(.sent(Sending(.passwordReset, account: receipt.account)), context)
            default: return trouble(.init(.pageExpired), .badRequest, context)
            }
        } catch { return failure(error, context) }
    }

    private func completion(of ended: EndedAction, _ receipt: Receipt, _ link: ActionLink, _ context: PageContext) -> Completion {
        let reset = Form(path: "/__/auth/reset", hidden: context.fields + [Form.Field("lang", language(of: context).code)])
        return Completion(
            receipt.action.words, account: receipt.account, newAccount: receipt.newAccount, factor: receipt.factor,
            next: next(ended.destination(link: link), context),
            passwordReset: receipt.action.isUndo && ended.project.upstream == nil ? reset : nil)
    }

    /// *Send a new one*: a fresh link in place of one that is over. Says the same whether or not anything was sent.
    func sendAgain(_ request: Request) async -> Response {
        guard let form = request.form, let (link, project) = read(form) else { return damaged(PageContext(request)) }
        let context = PageContext(request, project: project, link: link)
        if let refusal = refuseForeignForm(form, for: .sendAgain, of: link, context) { return refusal }
        do {
            switch try await actions.inspect(link, in: project) {
            case .expired(let ended), .withdrawn(let ended):
                if let recipient = ended.recipient { try admit(.mail(to: recipient), from: request.peer, in: project) }
                try await actions.sendAgain(ended)
            case let other: return self.ended(other, link, context)
            }
            return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.sentLink, link)))
        } catch { return failure(error, context) }
    }

    /// *Send me a password reset*, offered after an undoing: whoever changed the address may know the password, too.
    func sendPasswordReset(_ request: Request) async -> Response {
        guard isFromOurOwnPage(request), let form = request.form,
            let receipt = receipts.open(form.first { $0.name == "receipt" }?.value), receipt.kind == .done, receipt.action.isUndo,
            let link = receipt.link, let project = projects.project(apiKey: link.apiKey)
        else { return trouble(.init(.pageExpired), .forbidden, PageContext(request)) }
        let context = PageContext(request, project: project, link: link)
        do {
            guard case .used = try await actions.inspect(link, in: project), let email = receipt.account.flatMap({ EmailAddress($0) })
            else {
                return trouble(.init(.pageExpired), .forbidden, context)
            }
            try admit(.reset(to: email), from: request.peer, in: project)
            try await actions.sendPasswordReset(to: email, language: language(of: context).code, in: project)
            return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.sentReset, after: receipt)))
        } catch { return failure(error, context) }
    }
}
