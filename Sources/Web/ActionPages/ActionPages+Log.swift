internal import Accounts
internal import Logging

extension ActionPages {
    /// Logs an applied action with its account and its source, and never with an address or a code
    /// (O3, O1).
    func log(_ outcome: Outcome, _ destination: Destination, _ context: PageContext) {
        var metadata = metadata(outcome.done.action, outcome.done.project, context)
        metadata["account"] = outcome.account.map { "\($0.loggable)" }
        metadata["choice"] = outcome.choice.map { "\($0.rawValue)" }
        logger.notice("action applied", metadata: metadata.with(client: ["continueHost": destination.host]))
    }

    /// Logs a refused action; an unavailable dependency is logged where the error is rendered.
    func log(_ error: ActionError, _ link: ActionLink, _ context: PageContext) {
        guard let refusal = error.refusal, let project = context.project else { return }
        var metadata = metadata(link.action, project, context)
        metadata["refusal"] = "\(refusal.rawValue)"
        logger.notice("action refused", metadata: metadata)
    }

    /// Logs that no project has the API key of a link: an operator may have forgotten to list it.
    func logUnknownKey(_ context: PageContext) {
        logger.notice(
            "link with an API key that no project lists",
            metadata: ["peer": "\(context.request.peer)", "request": "\(context.request.id)"])
    }

    /// Logs a press that was answered with a question (V10).
    func log(_ question: PressQuestion, because sign: AutomationSign, _ pending: PendingAction, _ context: PageContext) {
        var metadata = metadata(pending.action, pending.project, context)
        metadata["question"] = "\(question.name)"
        metadata["reason"] = "\(sign.rawValue)"
        logger.notice("press questioned", metadata: metadata)
    }

    private func metadata(_ action: Action, _ project: Project, _ context: PageContext) -> Logger.Metadata {
        [
            "action": "\(action.rawValue)", "project": "\(project.id)", "peer": "\(context.request.peer)",
            "request": "\(context.request.id)",
        ]
    }
}
