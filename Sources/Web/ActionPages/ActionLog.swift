internal import Accounts
internal import EmailActions
internal import Logging

extension Site {
    /// Every action is logged with its result, its account and its source, and never with an address or a code (O3, O1).
    func record(_ outcome: Outcome, _ destination: Destination, _ context: PageContext) {
        var metadata = metadata(outcome.done.action, outcome.done.project, context)
        metadata["account"] = outcome.account.map { "\($0.loggable)" }
        metadata["onward"] = "\(destination.host ?? "stays")"
        logger.notice("an action was applied", metadata: metadata)
    }

    func record(_ error: ActionError, _ link: ActionLink, _ context: PageContext) {
        guard let refusal = error.refusal, let project = context.project else { return }
        var metadata = metadata(link.action, project, context)
        metadata["refusal"] = "\(refusal.rawValue)"
        logger.notice("an action was refused", metadata: metadata)
    }

    private func metadata(_ action: Action, _ project: Project, _ context: PageContext) -> Logger.Metadata {
        [
            "action": "\(action.rawValue)", "project": "\(project.id)", "peer": "\(context.request.peer)",
            "request": "\(context.request.id)",
        ]
    }
}
