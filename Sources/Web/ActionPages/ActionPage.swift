internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON
internal import Views

extension Site {
    /// The page behind an action link: GET shows what would happen and changes nothing (C6), POST does it.
    func actionPage(_ request: Request) async -> Response {
        switch request.head.method {
        case .get, .head: await show(request)
        case .post: await apply(request)
        default: .methodNotAllowed("GET, HEAD, POST")
        }
    }

    private func show(_ request: Request) async -> Response {
        guard request.query.count <= Request.maxParameters, let (link, project) = read(request.query) else {
            return damaged(PageContext(request))
        }
        let context = PageContext(request, project: project, link: link)
        do {
            let inspection = try await inspect(link, in: project, for: request.peer)
            guard case .live(let pending) = inspection, pending.action == link.action else { return ended(inspection, link, context) }
            return confirm(pending, link, context)
        } catch { return failure(error, context) }
    }

    private func apply(_ request: Request) async -> Response {
        guard let form = request.form else { return trouble(.init(.notUnderstood), .unsupportedMediaType, PageContext(request)) }
        guard let (link, project) = read(form) else { return damaged(PageContext(request)) }
        let context = PageContext(request, project: project, link: link)
        // Its token was given to a page that showed this code, so this is no guess, and what was typed is not lost to a limit.
        if let refusal = refuseForeignForm(form, for: .redeem, of: link, context) { return refusal }
        do {
            switch try await press(link, in: project) {
            case .done(let outcome): return try arrived(outcome, link, context)
            case .looked(.live(let pending)) where pending.action == link.action:
                return try await apply(pending, form, link, context)
            case .looked(let inspection): return ended(inspection, link, context)
            }
        } catch {
            record(error, link, context)
            return await lost(error, link, context)
        }
    }

    private func apply(
        _ pending: PendingAction, _ form: [(name: String, value: String)], _ link: ActionLink, _ context: PageContext
    ) async throws(ActionError) -> Response {
        switch pending.action {
        case .signIn: return forward(pending.destination(link: link), pending, link, context)
        case .resetPassword:
            let password = form.first { $0.name == "newPassword" }?.value ?? ""
            let problems = context.request.wantsJSON ? [] : problems(with: password, for: pending)
            guard problems.isEmpty else { return confirm(pending, link, context, problems: problems) }
            let outcome: Outcome
            do throws(ActionError) {
                outcome = try await redeem(pending, with: .newPassword(password))
            } catch {
                // An upstream may ask more of a password than the page knows.
                guard !context.request.wantsJSON, let missing = error.shortcomings else { throw error }
                record(error, link, context)
                return confirm(pending, link, context, problems: missing.objections.map(\.problem), missing: missing)
            }
            forgetGuesses(at: pending.email, from: context.request.peer, in: pending.project)
            return try arrived(outcome, link, context)
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition:
            return try arrived(try await redeem(pending), link, context)
        }
    }

    /// A link whose key is a project's, and whose code may be that project's by its form.
    func read(_ items: [(name: String, value: String)]) -> (ActionLink, Project)? {
        guard let link = try? ActionLink(query: items), let project = projects.project(apiKey: link.apiKey),
            project.mayHaveIssued(link.code)
        else { return nil }
        return (link, project)
    }

    /// The deed is done: on to where the person wanted to go, or to a page that says so.
    private func arrived(_ outcome: Outcome, _ link: ActionLink, _ context: PageContext) throws(ActionError) -> Response {
        let done = outcome.done
        let destination = done.destination(link: link)
        record(outcome, destination, context)
        if context.request.wantsJSON { return .json(.ok, json(outcome, destination)) }
        let goesStraight = done.project.continuePolicy == .straight && !done.action.isUndo
        if goesStraight, let location = destination.location { return .seeOther(location) }
        return .seeOther("/__/auth/done?receipt=" + (try receipts.seal(.done, link, after: done)))
    }

    /// A sign-in code is the app's to spend: it only travels on (`signIn` changes nothing here).
    private func forward(_ destination: Destination, _ pending: PendingAction, _ link: ActionLink, _ context: PageContext) -> Response {
        if context.request.wantsJSON { return .json(.ok, json(pending, destination)) }
        guard let location = destination.location else {
            return render(.done(Completion(.signIn, next: next(destination, context))), context)
        }
        return .seeOther(location)
    }

    private func problems(with password: String, for pending: PendingAction) -> [PasswordProblem] {
        password.isEmpty ? [.empty] : pending.objections(to: password).map(\.problem)
    }
}

extension ActionError {
    /// What is missing in the password that was refused; nil for any other error.
    fileprivate var shortcomings: PasswordShortcomings? {
        guard case .refused(let refusal, let detail) = self, [.weakPassword, .passwordDoesNotMeetRequirements].contains(refusal) else {
            return nil
        }
        return PasswordShortcomings(saidAs: detail ?? "")
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
