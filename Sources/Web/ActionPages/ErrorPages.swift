internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import Logging
internal import Views

extension Site {
    /// The link is cut or not ours. Unknown codes look the same: nothing is to be learned from them.
    func damaged(_ context: PageContext) -> Response {
        context.request.wantsJSON ? ErrorResponses.json(.refused(.invalidOobCode)) : trouble(.init(.damaged), .badRequest, context)
    }

    /// The page for a code that will not do what its link says.
    func ended(_ inspection: Inspection, _ link: ActionLink, _ context: PageContext) -> Response {
        meters.codes.refuse(inspection.action, inspection.refusal)
        return over(inspection, link, context)
    }

    private func over(_ inspection: Inspection, _ link: ActionLink, _ context: PageContext) -> Response {
        if context.request.wantsJSON { return ErrorResponses.json(inspection.refusal) }
        switch inspection {
        case .live: return trouble(.init(.wrongAction), .badRequest, context)
        case .unknown: return damaged(context)
        case .used(let ended): return trouble(.init(.alreadyDone, next: next(ended.destination(link: link), context)), .ok, context)
        case .withdrawn(let ended): return trouble(renewable(.withdrawn, ended, link, context), .gone, context)
        case .expired(let ended):
            return trouble(renewable(.expired(ended.expiresAt.map { .past(date($0)) }), ended, link, context), .gone, context)
        }
    }

    /// Offers a fresh link, unless one is out already; where none may be sent, the way to who can ask for one.
    private func renewable(_ reason: Trouble.Reason, _ ended: EndedAction, _ link: ActionLink, _ context: PageContext) -> Trouble {
        if let newer = ended.newerSince { return Trouble(.newerLinkSent(.past(date(newer)))) }
        guard let recipient = ended.recipient else {
            return Trouble(reason, next: next(ended.destination(link: link), context))
        }
        let fields = link.query.filter { $0.name != "continueUrl" } + [("token", formTokens.issue(for: .sendAgain, of: link))]
        let form = Form(path: "/__/auth/resend", hidden: fields.map { Form.Field($0.name, $0.value) })
        return Trouble(reason, account: recipient.masked, resend: form)
    }

    /// The press came, but the deed was refused: often because somebody was faster, so look again. What is down is not asked once more.
    func lost(_ error: ActionError, _ link: ActionLink, _ context: PageContext) async -> Response {
        guard error.refusal != nil, let project = context.project, let inspection = try? await actions.inspect(link, in: project) else {
            return failure(error, context)
        }
        if case .live = inspection { return failure(error, context) }
        return over(inspection, link, context)
    }

    /// Any other no, in words; what was typed is lost, but nothing else.
    func failure(_ error: ActionError, _ context: PageContext) -> Response {
        if context.request.wantsJSON { return ErrorResponses.json(error) }
        switch error {
        case .unavailable(let down):
            logger.error("a page failed", metadata: ["part": "\(down.part)", "cause": "\(down.cause)", "request": "\(context.request.id)"])
            let reason: Trouble.Reason = down.deed == .undone ? .unavailable : .uncertain
            var answer = trouble(.init(reason, retry: wayBack(context)), .serviceUnavailable, context)
            answer.headers[.retryAfter] = ErrorResponses.moment
            return answer
        case .tooSoon(_, let wait):
            // The page counts in whole minutes.
            let until = accounts.now() + .seconds((wait.milliseconds + 59_999) / 60_000 * 60)
            var answer = trouble(.init(.tooManyTries(.ahead(date(until))), retry: wayBack(context)), .tooManyRequests, context)
            answer.headers[.retryAfter] = ErrorResponses.seconds(wait)
            return answer
        case .refused(let refusal, _): return trouble(.init(refusal.reason), .badRequest, context)
        }
    }

    /// The same page by GET.
    func wayBack(_ context: PageContext) -> Form? {
        context.fields.isEmpty ? nil : Form(path: context.path, hidden: context.fields + context.languageField)
    }

    /// Refuses a form that no page of ours sent a short while ago (P1); the code stays alive.
    func refuseForeignForm(
        _ form: [(name: String, value: String)], for use: FormTokens.Use, of link: ActionLink, _ context: PageContext
    ) -> Response? {
        let token = form.first { $0.name == "token" }?.value
        let objection = formTokens.objection(to: token, for: use, of: link)
        guard objection != nil || !isFromOurOwnPage(context.request) else { return nil }
        logger.notice(
            "a form was refused", metadata: ["why": "\(objection.map { "\($0)" } ?? "foreign origin")", "request": "\(context.request.id)"])
        return context.request.wantsJSON
            ? ErrorResponses.envelope(
                .forbidden, message: "PERMISSION_DENIED : The form's token is missing, foreign or too old; open the link again",
                reason: "forbidden", status: "PERMISSION_DENIED")
            : trouble(.init(.pageExpired, retry: wayBack(context)), .forbidden, context)
    }

    func next(_ destination: Destination, _ context: PageContext) -> Next {
        if let location = destination.location { return .to(host: destination.host ?? "", url: location) }
        guard case .stay(notAllowed: let why?) = destination else { return .nowhere }
        logger.notice("a person stays here", metadata: ["why": "\(why)", "request": "\(context.request.id)"])
        return .refused
    }
}

extension PageContext {
    fileprivate var languageField: [Form.Field] { language.map { [Form.Field("lang", $0)] } ?? [] }
}

extension Inspection {
    fileprivate var refusal: ActionError {
        do {
            _ = try pending()
            return .refused(.invalidOobCode, detail: "The link is for another action")
        } catch { return error }
    }
}

extension Refusal {
    /// How a page says it; what only the API can say is, to a person, a link that does not work.
    fileprivate var reason: Trouble.Reason {
        switch self {
        case .userDisabled: .accountClosed
        case .emailExists: .addressTaken
        case .operationNotAllowed, .passwordLoginDisabled: .notOffered
        case .expiredOobCode: .expired(nil)
        default: .damaged
        }
    }
}
