internal import Accounts
internal import AppLinks
internal import Base
internal import HTTPTypes
internal import Logging
internal import Views

/// The pages behind the links of mails: GET shows what the link will do and changes nothing (C6),
/// POST does it.
struct ActionPages: Sendable {
    let projects: CurrentProjects
    let accounts: Accounts
    let meters: CodeMeters
    let renderer: PageRenderer
    let formTokens: FormTokens
    let receipts: Receipts
    let sameOrigin: SameOrigin
    let logger: Logger

    static let path = "/__/auth/action"
    /// The path of links that the Firebase Auth emulator makes.
    static let emulatorPath = "/emulator/action"
    static let donePath = "/__/auth/done"
    static let resendPath = "/__/auth/resend"
    static let resetPath = "/__/auth/reset"
    static let removePath = "/__/auth/remove"
    /// The length from which the beginning of an API key tells nothing to a visitor who does not
    /// have the key.
    private static let shortestCutKey = 20

    static let routes: [Route] = [
        Route(
            .read, path, label: RouteLabel("action", .page),
            documentation: .page(
                "actionPage", "The page behind a mailed link: says what the link will do. Changes nothing.",
                parameters: ["mode", "oobCode", "apiKey", "continueUrl", "lang"]),
            handler: .page { await $0.actionPages.show($1) }),
        Route(
            .read, emulatorPath, label: RouteLabel("action", .page),
            handler: .page { await $0.actionPages.show($1) }),
        Route(
            .only(.post), path, label: RouteLabel("press", .page),
            documentation: .page(
                "pressed", "Does what the page said, once, and redirects the user.",
                parameters: ["mode", "oobCode", "apiKey", "continueUrl", "lang"], takesForm: true),
            handler: .page { await $0.actionPages.apply($1) }),
        Route(
            .read, donePath, label: RouteLabel("done", .page),
            documentation: .page("donePage", "The page that says what was done."),
            handler: .page { await $0.actionPages.showReceipt($1) }),
        Route(
            .only(.post), resendPath, label: RouteLabel("resend", .page),
            documentation: .page("sendAgain", "Sends a new link in place of one that has expired or was withdrawn.", takesForm: true),
            handler: .page { await $0.actionPages.sendAgain($1) }),
        Route(
            .only(.post), resetPath, label: RouteLabel("reset", .page),
            documentation: .page("sendPasswordReset", "Mails a password reset after an undo.", takesForm: true),
            handler: .page { await $0.actionPages.sendPasswordReset($1) }),
        Route(
            .only(.post), removePath, label: RouteLabel("remove", .page),
            documentation: .page(
                "removeRemaining", "Removes a phone number or second factor that an undo or a reset left.", takesForm: true),
            handler: .page { await $0.actionPages.removeRemaining($1) }),
    ]

    func show(_ request: Request) async -> Response {
        guard request.query.count <= Request.maxParameters else { return renderer.error(.damagedLink, PageContext(request)) }
        // The answer to a form, opened anew: in another browser, or after a restart of this one.
        guard request.query.contains(where: { $0.name != "lang" && $0.name != PageRenderer.switchedFrom }) else {
            return renderer.error(.formMissing, PageContext(withoutLink: request))
        }
        let (link, project): (ActionLink, Project)
        do throws(Unreadable) { (link, project) = try read(request.query, request) } catch { return error.response }
        let chosen = request[Form.Field.choice].flatMap(ActionChoice.init)
        let context = PageContext(request, project: project, link: link, choice: chosen)
        do {
            let inspection = try await accounts.preview(link, in: project, from: request.client)
            guard case .live(let pending) = inspection, pending.action == link.action else { return endedPage(inspection, link, context) }
            if pending.isOpenedEarly(at: accounts.now()) { meters.count(.linksOpenedEarly, ["action": pending.action.rawValue]) }
            let destination = pending.destination(link: link)
            if pending.action.isAppliedByApp, destination.location == nil { return cannotSignIn(destination, context) }
            return confirm(
                pending, link, context, choosing: chosen, leadingTo: destination, asking: pending.question(choosing: chosen),
                followsIdleControl: renderer.followsIdleControl(context))
        } catch { return renderer.error(.failed(error), context) }
    }

    func apply(_ request: Request) async -> Response {
        guard let form = request.form else { return renderer.error(.notForm, PageContext(request)) }
        let (link, project): (ActionLink, Project)
        do throws(Unreadable) { (link, project) = try read(form, request) } catch { return error.response }
        let chosen = form.first { $0.name == Form.Field.choice }
        let choice = chosen.flatMap { ActionChoice(rawValue: $0.value) }
        let context = PageContext(request, project: project, link: link, choice: choice)
        // No limit on attempts here: the token proves that a page showed this code, so it is not a
        // guess, and a limit would lose what the user typed.
        guard (choice == nil) == (chosen == nil), choice == nil || !context.wantsJSON else {
            return renderer.error(.formRefused, context)
        }
        let page: FormTokens.ShownPage
        do { page = try self.page(of: form, for: .init(choice), of: link, request) } catch { return renderer.error(error, context) }
        let press = Press(
            pageMadeAt: page.madeAt, followsIdleControl: page.traits.contains(.followsIdleControl),
            isSecond: page.traits.contains(.asksAgain), number: form.first { $0.name == "number" }?.value,
            choice: choice, waysMark: page.waysMark, mayTakeAddress: choice == .takeAddress || context.wantsJSON)
        let password = form.first { $0.name == "newPassword" }?.value ?? ""
        do throws(ActionError) {
            switch try await accounts.press(link, press, typing: password, from: request.client, in: project) {
            case .applied(let outcome): return try responseAfterApplying(outcome, link, context)
            case .challenged(let pending, let question, let sign):
                log(question, because: sign, pending, context)
                return confirm(pending, link, context, choosing: choice, asking: question, afterPress: true)
            case .passwordRefused(let pending, let refusal):
                if let requirements = refusal.requirements { projects.learn(requirements, from: pending) }
                guard !context.wantsJSON else {
                    if refusal.requirements == nil { meters.refuse(pending.action, refusal.error) }
                    throw refusal.error
                }
                if refusal.requirements != nil { log(refusal.error, link, context) }
                return confirm(pending, link, context, refusing: refusal, of: password)
            case .inspected(.live(let pending)) where pending.action == link.action:
                return pending.action.isAppliedByApp ? forward(pending, link, context) : confirm(pending, link, context, afterPress: true)
            case .inspected(let inspection): return endedPage(inspection, link, context, typedPassword: !password.isEmpty)
            }
        } catch {
            log(error, link, context)
            // A press counts as no attempt, so this is the wait for a turn to hash a password.
            if case .tooSoon = error, link.action.setsPassword, project.upstream == nil { return renderer.error(.busy(error), context) }
            return await pageAfterRefusal(error, link, context)
        }
    }

    /// The response to a link that is incomplete or cannot be one of any project.
    struct Unreadable: Error { let response: Response }

    /// The link of a query or form, and its project. A link without an API key belongs to the only
    /// project of its host.
    func read(_ items: [(name: String, value: String)], _ request: Request) throws(Unreadable) -> (ActionLink, Project) {
        let projects = projects.value
        func project(_ apiKey: String?) -> Project? { apiKey.flatMap { projects.project(apiKey: $0) } }
        func only() -> Project? { projects.only(at: request.head.authority) }
        let mailed = MailedQuery(ofActionLink: items)
        var link: ActionLink
        do throws(ActionLink.Damage) {
            link = try ActionLink(mailed) { only().map(projects.linkKey) }
            if mailed.isMended || request.isMended { meters.count(.linksMended, ["link": "action"]) }
        } catch {
            let project = project(mailed.items.first { $0.name == "apiKey" }?.value)
            throw Unreadable(response: renderer.error(.damagedLink, PageContext(request, project: project)))
        }
        guard let project = project(link.apiKey) else {
            let context = PageContext(request)
            logUnknownKey(context)
            // Of another key it is not known what became of the code.
            let isCut =
                link.apiKey.utf8.count >= Self.shortestCutKey && projects.all.contains { $0.apiKeys.contains { $0.hasPrefix(link.apiKey) } }
            throw Unreadable(response: renderer.error(isCut ? .damagedLink : .unknownAPIKey, context))
        }
        guard project.mayHaveIssued(link.code) else {
            let context = PageContext(request, project: project, link: link)
            throw Unreadable(response: link.code.isComplete ? endedPage(.unknown, link, context) : renderer.error(.damagedLink, context))
        }
        guard project.upstream != nil else { return (link.withoutTenant, project) }
        link.network = Source(request.peer).widest
        return (link, project)
    }

    /// The page of ours that a form was on. Refuses one that was not shown for this link lately
    /// (P1).
    func page(
        of form: [(name: String, value: String)], for use: FormTokens.Use, of link: ActionLink, _ request: Request
    ) throws(RequestError) -> FormTokens.ShownPage {
        let (reason, refusal): (String, RequestError)
        do throws(FormTokens.Objection) {
            let page = try formTokens.page(of: form.first { $0.name == "token" }?.value, for: use, of: link)
            if sameOrigin.accepts(request) { return page }
            (reason, refusal) = ("foreign origin", .formRefused)
        } catch { (reason, refusal) = ("token \(error)", error == .tooOld ? .formTooOld : .formRefused) }
        logger.notice("form refused", metadata: ["reason": "\(reason)", "request": "\(request.id)"])
        throw refusal
    }

    /// The response after the action: a redirect to the continue URL, or to the page that says what
    /// was done.
    private func responseAfterApplying(_ outcome: Outcome, _ link: ActionLink, _ context: PageContext) throws(ActionError) -> Response {
        let done = outcome.done
        let destination = done.destination(link: link)
        log(outcome, destination, context)
        if context.wantsJSON { return .json(.ok, json(outcome, destination)) }
        if outcome.choice == nil, done.project.continuePolicy[done.action] == .straight, destination.isWeb,
            let location = destination.location
        {
            return .seeOther(location)
        }
        return .seeOther(Self.donePath + "?receipt=" + (try receipts.seal(.done, link, after: outcome)))
    }

    /// Redirects with the code of a sign-in link, which the app itself spends.
    private func forward(_ pending: PendingAction, _ link: ActionLink, _ context: PageContext) -> Response {
        let destination = pending.destination(link: link)
        guard let location = destination.location else { return cannotSignIn(destination, context) }
        if context.wantsJSON { return .json(.ok, json(pending, destination)) }
        return .seeOther(location)
    }
}
