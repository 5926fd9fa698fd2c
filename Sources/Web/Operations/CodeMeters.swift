public import Accounts
internal import Base
public import Metrics

/// The metrics of codes, by their action (O7), and of what clients learn about accounts (V6).
public struct CodeMeters: Sendable {
    private let factory: any MetricsFactory
    private let issued: [Action: Counter]
    private let applied: [Action: Counter]
    private let takenAddresses: Counter

    public init(_ factory: any MetricsFactory) {
        self.factory = factory
        issued = Metric.codesIssued.counters(in: factory) { ["action": $0.rawValue] }
        applied = Metric.codesApplied.counters(in: factory) { ["action": $0.rawValue] }
        takenAddresses = Metric.takenAddresses.counter(in: factory)
    }

    public func count(_ event: CodeEvent) {
        switch event {
        case .issued(let code): issued[code.action]?.increment()
        case .applied(let action): applied[action]?.increment()
        case .refused(let action, let error): refuse(action, error)
        case .pressed(let press, let result): answer(press, result)
        case .takenAddressTold: takenAddresses.increment()
        }
    }

    /// Counts what is rare. Its counters are created on demand.
    func count(_ metric: Metric, _ labels: KeyValuePairs<String, String> = [:]) { metric.counter(labels, in: factory).increment() }

    /// Counts a press that was answered with a question, and a press that answered one. These
    /// counters are created on demand, because both are rare.
    private func answer(_ press: Press, _ result: PressResult) {
        func answered(_ question: PressQuestion, _ outcome: String) {
            count(.pressAnswers, ["question": question.name, "outcome": outcome])
        }
        let hasAnswer = press.number != nil || press.isSecond
        let asked: PressQuestion = press.number == nil ? .secondPress : .number(wasWrong: false, left: 0)
        switch result {
        case .applied, .inspected(.live): if hasAnswer { answered(asked, "right") }
        case .challenged(_, .number(wasWrong: true, _), _): answered(asked, "wrong")
        case .challenged(_, .secondPress, _) where press.isSecond: answered(asked, "tooSoon")
        case .challenged(_, let question, let sign):
            count(.pressQuestions, ["question": question.name, "reason": sign.rawValue])
        case .inspected(.withdrawn(let ended)): if ended.hadWrongNumbers, press.number != nil { answered(asked, "wrong") }
        case .inspected, .passwordRefused: break
        }
    }

    /// Counts a link that does not work. These counters are created on demand: there are many of
    /// them, and refusals are rare.
    ///
    /// - Parameter action: nil if the code is unknown.
    func refuse(_ action: Action?, _ error: ActionError) {
        guard let refusal = error.refusal else { return }
        count(.codesRefused, ["action": action?.rawValue ?? "unknown", "reason": refusal.rawValue])
    }
}
