internal import Accounts
internal import EmailActions
internal import Logging

extension Site {
    /// Every action is logged with its result, its account and its source, and never with an address or a code (O3, O1).
    func record(_ outcome: Outcome, _ destination: Destination, _ frame: Frame) {
        var metadata = metadata(outcome.done.action, outcome.done.project, frame)
        metadata["account"] = outcome.account.map { "\($0.loggable)" }
        metadata["onward"] = "\(destination.host ?? "stays")"
        logger.notice("an action was applied", metadata: metadata)
    }

    func record(_ error: ActionError, _ link: ActionLink, _ frame: Frame) {
        guard let refusal = error.refusal, let project = frame.project else { return }
        var metadata = metadata(link.action, project, frame)
        metadata["refusal"] = "\(refusal.rawValue)"
        logger.notice("an action was refused", metadata: metadata)
    }

    private func metadata(_ action: Action, _ project: Project, _ frame: Frame) -> Logger.Metadata {
        [
            "action": "\(action.rawValue)", "project": "\(project.id)", "peer": "\(frame.request.peer)", "request": "\(frame.request.id)",
        ]
    }
}
