internal import Accounts
private import Base
private import Foundation
internal import HTTPTypes
internal import Logging
internal import Views

extension ActionPages {
    /// The page for a code that does not do what its link says.
    /// - Parameter typedPassword: whether the user has typed a new password, which was not saved.
    func endedPage(_ inspection: Inspection, _ link: ActionLink, _ context: PageContext, typedPassword: Bool = false) -> Response {
        meters.refuse(inspection.action, inspection.refusal)
        return page(ofEnded: inspection, link, context, typedPassword: typedPassword)
    }

    /// The page after an action was refused. If the code had ended, another request was often
    /// faster, so it is inspected again. Every other refusal is what the page says, because an
    /// upstream may delete the code with it (Y2).
    func pageAfterRefusal(_ error: ActionError, _ link: ActionLink, _ context: PageContext) async -> Response {
        guard [.invalidOobCode, .expiredOobCode].contains(error.refusal), let project = context.project else {
            return renderer.error(.failed(error), context)
        }
        do {
            let inspection = try await accounts.inspect(link, in: project)
            // An authority may refuse a code that it still shows, such as one of an account that is
            // deleted or has another address.
            if case .live = inspection { return page(ofEnded: .unknown, link, context, typedPassword: link.action.setsPassword) }
            return page(ofEnded: inspection, link, context, typedPassword: link.action.setsPassword)
        } catch let failure {
            // Another request may have been faster, and the reason why it was refused is known, or
            // the refusal is that of a look after the response was lost.
            if case .refused = failure { return renderer.error(.failed(failure), context) }
            let cause = if case .unavailable(let down) = failure { down.cause } else { "too many requests wait for this code" }
            let part: Unavailable.Part = project.upstream == nil ? .store : .upstream
            return renderer.error(.failed(.unavailable(Unavailable(part, cause: cause, commitState: .unknown))), context)
        }
    }

    private func page(
        ofEnded inspection: Inspection, _ link: ActionLink, _ context: PageContext, typedPassword: Bool = false
    ) -> Response {
        let refusal = inspection.refusal
        switch inspection {
        case .live: return renderer.error(.ended(.wrongAction, refusal: refusal), context, next: returnLink(from: link, context))
        case .unknown:
            let known: ErrorPage.Reason = context.project?.upstream == nil ? .notKnown : .unknown
            return renderer.error(
                .ended(typedPassword ? .unknownAndUnsaved : known, refusal: refusal), context, next: returnLink(from: link, context))
        case .used(let ended) where ended.action.isAppliedByApp:
            // It has no address, as that of the live code.
            return pageOfferingNewLink(.unknown, ended, refusal, link, context, showsAddress: false)
        case .used(let ended):
            // It has no address, which an old mail must not tell.
            let receipt = ended.addressToSecure.flatMap { _ in try? receipts.seal(.done, link) }
            return renderer.error(
                .ended(typedPassword ? .passwordSavedEarlier : .alreadyDone(ended.actionDone), refusal: refusal), context,
                next: continueLink(ended.destination(link: link), context), passwordReset: receipt.map { resetForm($0, context) })
        case .uncertain(let ended):
            return renderer.error(
                .ended(.answerLost(setsPassword: ended.action.setsPassword), refusal: refusal), context,
                next: continueLink(ended.destination(link: link), context))
        case .withdrawn(let ended) where ended.addressIsConfirmed, .expired(let ended) where ended.addressIsConfirmed:
            return renderer.error(
                .ended(.alreadyConfirmed, refusal: refusal), context,
                next: continueLink(ended.destination(link: link), context))
        case .withdrawn(let ended) where ended.accountIsClosed, .expired(let ended) where ended.accountIsClosed:
            return renderer.error(.ended(.accountClosed, refusal: refusal), context)
        case .withdrawn(let ended) where ended.addressHasLeft, .expired(let ended) where ended.addressHasLeft:
            return renderer.error(
                .ended(.addressLeft, refusal: refusal), context, next: returnLink(from: link, context))
        case .withdrawn(let ended) where ended.isSuperseded:
            return renderer.error(
                .ended(.replaced, refusal: refusal), context, next: returnLink(from: link, context))
        case .withdrawn(let ended):
            return pageOfferingNewLink(ended.hadWrongNumbers ? .wrongNumbers : .withdrawn, ended, refusal, link, context)
        case .expired(let ended):
            return pageOfferingNewLink(.expired(ended.expiresAt.map { .past(Date($0)) }), ended, refusal, link, context)
        }
    }

    /// Offers a new link unless one was sent already. If none may be sent, shows the way to the
    /// app, where the user can ask for one.
    private func pageOfferingNewLink(
        _ end: ErrorPage.Reason, _ ended: EndedAction, _ refusal: ActionError, _ link: ActionLink, _ context: PageContext,
        showsAddress: Bool = true
    ) -> Response {
        if let newer = ended.newerSince {
            return renderer.error(
                .ended(.newerLinkSent(.past(Date(newer))), refusal: refusal), context,
                next: continueLink(ended.destination(link: link), context))
        }
        guard let recipient = ended.recipient else {
            return renderer.error(
                .ended(end, refusal: refusal), context, next: continueLink(ended.destination(link: link), context))
        }
        let fields = link.query.filter { $0.name != "continueUrl" } + [("token", formTokens.issue(for: .sendAgain, of: link))]
        let form = Form(path: Self.resendPath, hidden: fields.map { Form.Field($0.name, $0.value) })
        return renderer.error(
            .ended(end, refusal: refusal), context, account: showsAddress ? recipient.masked : nil, resend: form)
    }

    /// The page in place of that of a sign-in link which leads to no page of the app, so that its
    /// button would do nothing (Y5).
    func cannotSignIn(_ destination: Destination, _ context: PageContext) -> Response {
        var reason = "the link has no continue URL"
        if case .stay(notAllowed: let refused?) = destination { reason = refused }
        logger.notice("sign-in link leads nowhere", metadata: ["request": "\(context.request.id)"].with(client: ["reason": reason]))
        return renderer.error(.ended(.cannotSignIn, refusal: .refused(.missingContinueURI)), context)
    }

    /// The way back to the app for a link that does nothing.
    private func returnLink(from link: ActionLink, _ context: PageContext) -> ContinueLink {
        context.project.map { continueLink(Destination(backFrom: link, to: $0), context) } ?? .nowhere
    }

    func continueLink(_ destination: Destination, _ context: PageContext) -> ContinueLink {
        if let location = destination.location {
            return .to(host: context.project.flatMap(destination.name) ?? "", url: location)
        }
        guard case .stay(notAllowed: let reason?) = destination else { return .nowhere }
        logger.notice("continue URL refused", metadata: ["request": "\(context.request.id)"].with(client: ["reason": reason]))
        return .refused
    }
}

extension Inspection {
    fileprivate var refusal: ActionError {
        do {
            _ = try pending()
            return .refused(.invalidOobCode, detail: "The link is for another action")
        } catch { return error }
    }
}
