internal import Accounts
internal import AppLinks
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Views

extension ActionPages {
    /// The page that says what the link will do, for which account, and where it leads, with a
    /// button that does it.
    ///
    /// - Parameters:
    ///   - chosen: what the user chose in place of the button.
    ///   - destination: where the user continues, if the caller knows it.
    ///   - refusal: why the typed password is not accepted.
    ///   - typed: that password.
    ///   - question: the question that the user has to answer.
    ///   - afterPress: whether the page responds to a press, which the question followed.
    ///   - followsIdleControl: whether the language switch was used without an effect.
    func confirm(
        _ pending: PendingAction, _ link: ActionLink, _ context: PageContext, choosing chosen: ActionChoice? = nil,
        leadingTo destination: Destination? = nil, refusing refusal: PasswordRefusal? = nil, of typed: String? = nil,
        asking question: PressQuestion? = nil,
        afterPress: Bool = false, followsIdleControl: Bool = false
    ) -> Response {
        let destination = destination ?? pending.destination(link: link)
        var traits: FormTokens.Traits = followsIdleControl ? .followsIdleControl : []
        if question == .secondPress { traits.insert(.asksAgain) }
        let offered = pending.choices.contains
        let choice = chosen.flatMap { offered($0) ? $0 : nil } ?? (offered(.takeAddress) && !context.wantsJSON ? .takeAddress : nil)
        let token = formTokens.issue(for: .init(choice), of: link, traits, naming: pending.waysIn)
        let isRefused = afterPress || refusal != nil
        if context.wantsJSON { return .json(isRefused ? .unprocessableContent : .ok, json(pending, destination, token, asking: question)) }
        // Onward stores the continue URL with the code; an upstream does not tell it.
        let sends = { (name: String) in name != "continueUrl" || pending.project.upstream != nil }
        let sent = link.query.compactMap { sends($0.name) ? Form.Field($0.name, $0.value) : nil }
        let confirmation = ConfirmationPage(
            pending.action, form: Form(path: context.path, hidden: sent + [Form.Field("token", token)] + chosenField(choice)),
            account: pending.email.map(EmailAddress.shown),
            newAccount: pending.newEmail.map(EmailAddress.shown),
            factor: pending.factorName,
            destination: choice?.hasOwnPage == true ? nil : destination.name(in: pending.project),
            expires: pending.expiresAt.map(Date.init(_:)), newerSent: pending.newerSince.map(Date.init(_:)),
            requested: pending.waysIn == nil ? nil : pending.requestedAt.map(Date.init(_:)),
            device: pending.waysIn == nil ? nil : pending.requestedBy,
            waysIn: pending.waysIn,
            accountCreated: pending.accountCreatedAt.map(Date.init(_:)),
            offer: offer(of: pending, beside: choice, sent, context), choice: choice, rivalMade: pending.rivalMadeAt.map(Date.init(_:)),
            passwordFacts: pending.passwordFacts, addressChange: pending.addressChange,
            passwordRequirements: pending.passwordPolicy.adding(refusal?.requirements ?? PasswordRequirements()).requirements,
            objections: refusal?.objections ?? [], typedLength: typed?.unicodeScalars.count,
            question: question?.shown(afterPress: afterPress, asksNumber: pending.question(choosing: choice) != nil),
            numberTriesLeft: question?.triesLeft, isBrief: pending.project.upstream != nil,
            phoneCode: phoneCode(of: pending, link, context.request))
        return renderer.page(
            .confirm(confirmation), context, isRefused ? .unprocessableContent : .ok, formTarget: formTarget(of: destination))
    }

    private func chosenField(_ choice: ActionChoice?) -> [Form.Field] { choice.map { [Form.Field(choice: $0)] } ?? [] }

    /// The quiet button to the page of a choice, on the page of the action.
    private func offer(
        of pending: PendingAction, beside choice: ActionChoice?, _ fields: [Form.Field], _ context: PageContext
    ) -> ConfirmationPage.Offer? {
        guard choice == nil || choice == .takeAddress,
            let offered = [ActionChoice.notMine, .itWasMe].first(where: pending.choices.contains)
        else { return nil }
        let language = Form.Field("lang", renderer.language(of: context).code)
        let others = fields.filter { $0.name != language.name }
        return .init(offered, form: Form(path: Self.path, hidden: others + [language, Form.Field(choice: offered)]))
    }

    /// The QR code of the mailed app link, for users who read their mail at a desk and have the app
    /// on their phone; nil on other devices. It is part of the page, so that no URL and no cache
    /// contains the code but those of the page itself.
    private func phoneCode(of pending: PendingAction, _ link: ActionLink, _ request: Request) -> ScannableCode? {
        guard let mailed = pending.mailedAppLink(of: link), LinkDevice(request).kind == .desktop, let code = QRCode(onScreen: mailed)
        else { return nil }
        return ScannableCode(viewBox: code.viewBox, path: code.path)
    }

    /// The scheme of the destination, for `form-action`. Chromium applies it to the whole chain of
    /// redirects after a form, also to those that the app's own site adds behind its continue URL,
    /// so naming only the destination's host would stop users there.
    private func formTarget(of destination: Destination) -> String? {
        destination.scheme.map { "\($0):" }
    }
}

extension PressQuestion {
    /// How often the number may still be tried, from the third try on.
    fileprivate var triesLeft: Int? { if case .number(_, let left) = self, (1...3).contains(left) { left } else { nil } }

    /// - Parameter asksNumber: whether the page asks for the number in any case.
    fileprivate func shown(afterPress: Bool, asksNumber: Bool) -> ConfirmationQuestion {
        switch self {
        case .number(wasWrong: true, _): .wrongNumber
        case .number(wasWrong: false, _): afterPress ? .numberAfterPress : .number
        case .secondPress: .secondPress
        case .changedWays: asksNumber ? .changedWaysAndNumber : .changedWays
        }
    }
}
