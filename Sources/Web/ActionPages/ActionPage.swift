internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import Views

extension Site {
    /// The page behind an action link: GET shows what would happen and changes nothing (C6), POST does it.
    func actionPage(_ request: Request) async -> Answer {
        switch request.head.method {
        case .get, .head: await show(request)
        case .post: await apply(request)
        default: .methodNotAllowed("GET, HEAD, POST")
        }
    }

    private func show(_ request: Request) async -> Answer {
        guard request.query.count <= Request.maxParameters, let link = try? ActionLink(query: request.query),
            let project = projects.project(apiKey: link.apiKey)
        else { return damaged(Frame(request)) }
        let frame = Frame(request, project: project, link: link)
        do {
            let inspection = try await inspect(link.code, in: project, for: request.peer)
            guard case .live(let pending) = inspection, pending.action == link.action else { return ended(inspection, link, frame) }
            return confirm(pending, link, frame)
        } catch { return failure(error, frame) }
    }

    private func apply(_ request: Request) async -> Answer {
        guard let form = request.form else { return trouble(.init(.notUnderstood), .unsupportedMediaType, Frame(request)) }
        guard let link = try? ActionLink(query: form), let project = projects.project(apiKey: link.apiKey) else {
            return damaged(Frame(request))
        }
        let frame = Frame(request, project: project, link: link)
        // Its token was given to a page that showed this code, so this is no guess, and what was typed is not lost to a limit.
        if let refusal = refuseForeignForm(form, for: .redeem, of: link, frame) { return refusal }
        do {
            let inspection = try await actions.inspect(link.code, in: project)
            guard case .live(let pending) = inspection, pending.action == link.action else { return ended(inspection, link, frame) }
            return try await apply(pending, form, link, frame)
        } catch {
            record(error, link, frame)
            return await lost(error, link, frame)
        }
    }

    private func apply(
        _ pending: PendingAction, _ form: [(name: String, value: String)], _ link: ActionLink, _ frame: Frame
    ) async throws(ActionError) -> Answer {
        switch pending.action {
        case .signIn: return forward(pending.destination(link: link), pending, link, frame)
        case .resetPassword:
            let password = form.first { $0.name == "newPassword" }?.value ?? ""
            let problems = frame.request.wantsJSON ? [] : problems(with: password, for: pending)
            guard problems.isEmpty else { return confirm(pending, link, frame, problems: problems) }
            let outcome = try await redeem(pending, with: .newPassword(password))
            forgetGuesses(at: pending.email, from: frame.request.peer, in: pending.project)
            return try arrived(outcome, link, frame)
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition:
            return try arrived(try await redeem(pending), link, frame)
        }
    }

    /// The deed is done: on to where the person wanted to go, or to a page that says so.
    private func arrived(_ outcome: Outcome, _ link: ActionLink, _ frame: Frame) throws(ActionError) -> Answer {
        let destination = outcome.destination(link: link)
        record(outcome, destination, frame)
        if frame.request.wantsJSON { return .json(.ok, json(outcome, destination)) }
        let goesStraight = outcome.project.continuePolicy == .straight && !outcome.code.action.isUndo
        if goesStraight, let location = destination.location { return .seeOther(location) }
        let factor = outcome.secondFactor.flatMap { $0.displayName ?? $0.phoneNumber }
        return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.done, link, factor: factor)))
    }

    /// A sign-in code is the app's to spend: it only travels on (`signIn` changes nothing here).
    private func forward(_ destination: Destination, _ pending: PendingAction, _ link: ActionLink, _ frame: Frame) -> Answer {
        if frame.request.wantsJSON { return .json(.ok, json(pending, destination)) }
        guard let location = destination.location else {
            return render(.done(Completion(.signIn, next: next(destination, frame))), frame)
        }
        return .seeOther(location)
    }

    private func problems(with password: String, for pending: PendingAction) -> [PasswordProblem] {
        password.isEmpty ? [.empty] : pending.objections(to: password).map(\.problem)
    }
}

extension PasswordPolicy.Objection {
    fileprivate var problem: PasswordProblem {
        switch self {
        case .tooShort: .tooShort
        case .tooLong: .tooLong
        case .lacks(.lowercase): .needsLowercase
        case .lacks(.uppercase): .needsUppercase
        case .lacks(.numeric): .needsDigit
        case .lacks(.nonAlphanumeric): .needsSymbol
        case .common: .tooCommon
        case .containsOwnWords: .tooPersonal
        }
    }
}
