internal import Accounts
internal import Base
public import Metrics

/// The metrics of mails: attempts by outcome and kind, the time from a request to the relay's
/// acceptance, and reports by provider and kind.
public struct MailMeters: Sendable {
    private let attempts: [LetterKind: [DeliveryOutcome.Verdict: Counter]]
    private let acceptance: Timer
    private let feedback: [FeedbackProvider: [MailFeedback.Kind: Counter]]

    public init(_ factory: any MetricsFactory) {
        attempts = Dictionary(
            uniqueKeysWithValues: LetterKind.allCases.map { kind in
                (kind, Metric.mailAttempts.counters(in: factory) { ["outcome": $0.rawValue, "kind": kind.rawValue] })
            })
        acceptance = Metric.mailAcceptance.timer(in: factory)
        feedback = Dictionary(
            uniqueKeysWithValues: FeedbackProvider.allCases.map { provider in
                (provider, Metric.mailFeedback.counters(in: factory) { ["provider": provider.rawValue, "kind": $0.rawValue] })
            })
    }

    /// Counts nothing.
    public static let none = MailMeters(NOOPMetricsHandler.instance)

    /// - Parameter span: the time since the mail was asked for.
    func count(_ outcome: DeliveryOutcome, of kind: LetterKind, after span: Duration) {
        attempts[kind]?[outcome.verdict]?.increment()
        if outcome.verdict == .accepted { acceptance.recordNanoseconds(Int64(max(0, span / .nanoseconds(1)))) }
    }

    /// Counts a report about a mail.
    func count(_ kind: MailFeedback.Kind, from provider: FeedbackProvider) { feedback[provider]?[kind]?.increment() }
}
