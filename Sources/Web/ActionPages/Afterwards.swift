internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import Views

extension Site {
    /// The page after the deed, or after a mail was asked for; a sealed receipt says which.
    func donePage(_ request: Request) async -> Answer {
        guard let receipt = receipts.open(request["receipt"]), let link = receipt.link,
            let project = projects.project(apiKey: link.apiKey)
        else { return trouble(.init(.pageExpired), .badRequest, Frame(request)) }
        let frame = Frame(request, project: project, link: link, receipt: receipt)
        do {
            switch (receipt.kind, try await actions.inspect(link, in: project)) {
            case (.done, .used(let ended)): return render(.done(completion(of: ended, receipt, link, frame)), frame)
            case (.sentLink, .expired(let ended)), (.sentLink, .withdrawn(let ended)):
                return render(.sent(Sending(.newLink, account: ended.recipient?.masked)), frame)
            case (.sentReset, .used): return render(.sent(Sending(.passwordReset, account: receipt.account)), frame)
            default: return trouble(.init(.pageExpired), .badRequest, frame)
            }
        } catch { return failure(error, frame) }
    }

    private func completion(of ended: EndedAction, _ receipt: Receipt, _ link: ActionLink, _ frame: Frame) -> Completion {
        let reset = Form(path: "/__/auth/reset", hidden: frame.fields + [Form.Field("lang", language(of: frame).code)])
        return Completion(
            receipt.action.words, account: receipt.account, newAccount: receipt.newAccount, factor: receipt.factor,
            next: next(ended.destination(link: link), frame),
            passwordReset: receipt.action.isUndo && ended.project.upstream == nil ? reset : nil)
    }

    /// *Send a new one*: a fresh link in place of one that is over. Says the same whether or not anything was sent.
    func sendAgain(_ request: Request) async -> Answer {
        guard let form = request.form, let (link, project) = read(form) else { return damaged(Frame(request)) }
        let frame = Frame(request, project: project, link: link)
        if let refusal = refuseForeignForm(form, for: .sendAgain, of: link, frame) { return refusal }
        do {
            switch try await actions.inspect(link, in: project) {
            case .expired(let ended), .withdrawn(let ended):
                if let recipient = ended.recipient { try admit(.mail(to: recipient), from: request.peer, in: project) }
                try await actions.sendAgain(ended)
            case let other: return self.ended(other, link, frame)
            }
            return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.sentLink, link)))
        } catch { return failure(error, frame) }
    }

    /// *Send me a password reset*, offered after an undoing: whoever changed the address may know the password, too.
    func sendPasswordReset(_ request: Request) async -> Answer {
        guard isFromOurOwnPage(request), let form = request.form,
            let receipt = receipts.open(form.first { $0.name == "receipt" }?.value), receipt.kind == .done, receipt.action.isUndo,
            let link = receipt.link, let project = projects.project(apiKey: link.apiKey)
        else { return trouble(.init(.pageExpired), .forbidden, Frame(request)) }
        let frame = Frame(request, project: project, link: link)
        do {
            guard case .used = try await actions.inspect(link, in: project), let email = receipt.account.flatMap({ EmailAddress($0) })
            else {
                return trouble(.init(.pageExpired), .forbidden, frame)
            }
            try admit(.reset(to: email), from: request.peer, in: project)
            try await actions.sendPasswordReset(to: email, language: language(of: frame).code, in: project)
            return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.sentReset, after: receipt)))
        } catch { return failure(error, frame) }
    }
}
