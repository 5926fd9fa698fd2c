internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import Logging
internal import Views

extension Site {
    /// The link is cut or not ours. Unknown codes look the same: nothing is to be learned from them.
    func damaged(_ frame: Frame) -> Answer {
        frame.request.wantsJSON ? Answers.json(.refused(.invalidOobCode)) : trouble(.init(.damaged), .badRequest, frame)
    }

    /// The page for a code that will not do what its link says.
    func ended(_ inspection: Inspection, _ link: ActionLink, _ frame: Frame) -> Answer {
        meters.codes.refuse(inspection.action, inspection.refusal)
        return over(inspection, link, frame)
    }

    private func over(_ inspection: Inspection, _ link: ActionLink, _ frame: Frame) -> Answer {
        if frame.request.wantsJSON { return Answers.json(inspection.refusal) }
        switch inspection {
        case .live: return trouble(.init(.wrongAction), .badRequest, frame)
        case .unknown: return damaged(frame)
        case .used(let ended): return trouble(.init(.alreadyDone, next: next(ended.destination(link: link), frame)), .ok, frame)
        case .withdrawn(let ended): return trouble(renewable(.withdrawn, ended, link, frame), .gone, frame)
        case .expired(let ended):
            return trouble(renewable(.expired(ended.expiresAt.map { .past(date($0)) }), ended, link, frame), .gone, frame)
        }
    }

    /// Offers a fresh link, unless one is out already; where none may be sent, the way to who can ask for one.
    private func renewable(_ reason: Trouble.Reason, _ ended: EndedAction, _ link: ActionLink, _ frame: Frame) -> Trouble {
        if let newer = ended.newerSince { return Trouble(.newerLinkSent(.past(date(newer)))) }
        guard let recipient = ended.recipient else {
            return Trouble(reason, next: next(ended.destination(link: link), frame))
        }
        let fields = link.query.filter { $0.name != "continueUrl" } + [("token", formTokens.issue(for: .sendAgain, of: link))]
        let form = Form(path: "/__/auth/resend", hidden: fields.map { Form.Field($0.name, $0.value) })
        return Trouble(reason, account: recipient.masked, resend: form)
    }

    /// The press came, but the deed was refused: often because somebody was faster, so look again. What is down is not asked once more.
    func lost(_ error: ActionError, _ link: ActionLink, _ frame: Frame) async -> Answer {
        guard error.refusal != nil, let project = frame.project, let inspection = try? await actions.inspect(link, in: project) else {
            return failure(error, frame)
        }
        if case .live = inspection { return failure(error, frame) }
        return over(inspection, link, frame)
    }

    /// Any other no, in words; what was typed is lost, but nothing else.
    func failure(_ error: ActionError, _ frame: Frame) -> Answer {
        if frame.request.wantsJSON { return Answers.json(error) }
        switch error {
        case .unavailable(let down):
            logger.error("a page failed", metadata: ["part": "\(down.part)", "cause": "\(down.cause)", "request": "\(frame.request.id)"])
            let reason: Trouble.Reason = down.deed == .undone ? .unavailable : .uncertain
            var answer = trouble(.init(reason, retry: wayBack(frame)), .serviceUnavailable, frame)
            answer.headers[.retryAfter] = Answers.moment
            return answer
        case .tooSoon(_, let wait):
            // The page counts in whole minutes.
            let until = accounts.now() + .seconds((wait.milliseconds + 59_999) / 60_000 * 60)
            var answer = trouble(.init(.tooManyTries(.ahead(date(until))), retry: wayBack(frame)), .tooManyRequests, frame)
            answer.headers[.retryAfter] = Answers.seconds(wait)
            return answer
        case .refused(let refusal, _): return trouble(.init(refusal.reason), .badRequest, frame)
        }
    }

    /// The same page by GET.
    func wayBack(_ frame: Frame) -> Form? {
        frame.fields.isEmpty ? nil : Form(path: frame.path, hidden: frame.fields + frame.languageField)
    }

    /// Refuses a form that no page of ours sent a short while ago (P1); the code stays alive.
    func refuseForeignForm(
        _ form: [(name: String, value: String)], for use: FormTokens.Use, of link: ActionLink, _ frame: Frame
    ) -> Answer? {
        let token = form.first { $0.name == "token" }?.value
        let objection = formTokens.objection(to: token, for: use, of: link)
        guard objection != nil || !isFromOurOwnPage(frame.request) else { return nil }
        logger.notice(
            "a form was refused", metadata: ["why": "\(objection.map { "\($0)" } ?? "foreign origin")", "request": "\(frame.request.id)"])
        return frame.request.wantsJSON
            ? Answers.envelope(
                .forbidden, message: "PERMISSION_DENIED : The form's token is missing, foreign or too old; open the link again",
                reason: "forbidden", status: "PERMISSION_DENIED")
            : trouble(.init(.pageExpired, retry: wayBack(frame)), .forbidden, frame)
    }

    func next(_ destination: Destination, _ frame: Frame) -> Next {
        if let location = destination.location { return .to(host: destination.host ?? "", url: location) }
        guard case .stay(notAllowed: let why?) = destination else { return .nowhere }
        logger.notice("a person stays here", metadata: ["why": "\(why)", "request": "\(frame.request.id)"])
        return .refused
    }
}

extension Frame {
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
