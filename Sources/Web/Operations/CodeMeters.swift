internal import Accounts
package import EmailActions
package import Metrics

/// What became of links, by their action (O7).
package struct CodeMeters: Sendable {
    private let factory: any MetricsFactory
    private let issued: [Action: Counter]
    private let applied: [Action: Counter]

    package init(_ factory: any MetricsFactory) {
        func counters(_ label: String) -> [Action: Counter] {
            Dictionary(
                uniqueKeysWithValues: Action.allCases.map {
                    ($0, Counter(label: label, dimensions: [("action", $0.rawValue)], factory: factory))
                })
        }
        self.factory = factory
        issued = counters("onward_codes_issued_total")
        applied = counters("onward_codes_applied_total")
    }

    /// A code was made, mailed or handed out.
    package func issue(_ action: Action) { issued[action]?.increment() }

    /// A code did its work.
    func apply(_ action: Action) { applied[action]?.increment() }

    /// Does what spends a code, and counts how it went.
    func counting<T>(_ action: Action, _ deed: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        do {
            let result = try await deed()
            apply(action)
            return result
        } catch {
            refuse(action, error)
            throw error
        }
    }

    /// A link was opened or pressed and does not work. These are too many to be made beforehand, and rare enough to be looked up.
    /// - Parameter action: nil where nothing is known of the code.
    func refuse(_ action: Action?, _ error: ActionError) {
        guard let refusal = error.refusal else { return }
        Counter(
            label: "onward_codes_refused_total", dimensions: [("action", action?.rawValue ?? "unknown"), ("reason", refusal.rawValue)],
            factory: factory
        ).increment()
    }
}

extension Site {
    /// The button of a link's page was pressed.
    func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> Pressing {
        do {
            let pressing = try await actions.press(link, in: project)
            if case .done(let outcome) = pressing { meters.codes.apply(outcome.done.action) }
            return pressing
        } catch {
            meters.codes.refuse(link.action, error)
            throw error
        }
    }

    /// Does what a live code allows.
    func redeem(_ pending: PendingAction, with input: RedeemInput = .press) async throws(ActionError) -> Outcome {
        try await meters.codes.counting(pending.action) { () throws(ActionError) in try await actions.redeem(pending, with: input) }
    }
}

extension Inspection {
    /// Nil for a code that is unknown.
    var action: Action? {
        switch self {
        case .live(let pending): pending.action
        case .used(let ended), .withdrawn(let ended), .expired(let ended): ended.action
        case .unknown: nil
        }
    }
}
