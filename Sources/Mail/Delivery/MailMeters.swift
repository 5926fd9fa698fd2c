internal import EmailActions
package import Metrics

/// The metrics of delivery: attempts by outcome and kind, and the time from a request to the
/// relay's acceptance.
package struct MailMeters: Sendable {
    private let attempts: [LetterKind: [DeliveryOutcome.Verdict: Counter]]
    private let acceptance: Timer

    package init(_ factory: any MetricsFactory) {
        attempts = Dictionary(
            uniqueKeysWithValues: LetterKind.allCases.map { kind in
                (
                    kind,
                    Dictionary(
                        uniqueKeysWithValues: DeliveryOutcome.Verdict.allCases.map { verdict in
                            let dimensions = [("outcome", verdict.rawValue), ("kind", kind.rawValue)]
                            return (verdict, Counter(label: "onward_mail_attempts_total", dimensions: dimensions, factory: factory))
                        })
                )
            })
        acceptance = Timer(label: "onward_mail_acceptance_seconds", dimensions: [], factory: factory)
    }

    /// Counts nothing.
    package static let none = MailMeters(NOOPMetricsHandler.instance)

    /// - Parameter span: the time since the mail was asked for.
    func count(_ outcome: DeliveryOutcome, of kind: LetterKind, after span: Duration) {
        attempts[kind]?[outcome.verdict]?.increment()
        if outcome.verdict == .accepted { acceptance.recordNanoseconds(Int64(max(0, span / .nanoseconds(1)))) }
    }
}
