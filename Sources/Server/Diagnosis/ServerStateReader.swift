import Accounts
import Base
import Configuration
import Store
import Web

/// Reads the state of the server for overviews.
struct ServerStateReader: Sendable {
    let store: Store
    let registry: MetricsRegistry
    let database: DatabaseSetting
    /// The URLs of the endpoints for events; nil in development, where the inbox is one.
    let endpoints: [String]?
    let nodes: Int
    let startedAt: Timestamp
    /// The operator's own words and templates that have no effect.
    let ofResources: [Diagnosis]
    /// Dependencies that are down, and the clock, as `/readyz` says.
    let remarks: @Sendable () -> [String]
    let now: Now

    private static let metrics: [Metric] = [
        .codesIssued, .codesApplied, .codesRefused, .linksOpenedEarly, .pressQuestions, .pressAnswers, .mailFeedback,
    ]

    @concurrent func state(for project: Project, isWhole: Bool) async -> ServerState {
        ServerState(
            version: Version.current, schema: store.schemaVersion, nodes: nodes, startedAt: startedAt,
            diagnoses: [Diagnosis(signUpsIn: project)].compactMap(\.self) + (isWhole ? await ofServer : []),
            readings: isWhole ? Self.metrics.flatMap(readings) : [])
    }

    /// Parts that the store does not tell are left out: without it the overview is an error.
    private var ofServer: [Diagnosis] {
        get async {
            let disk = if case .sqlite(let path) = database { [Diagnosis(diskOf: path)] } else { [Diagnosis]() }
            let invitations = try? await store.diagnosisOfInvitations(at: now())
            var events: [Diagnosis]?
            if let endpoints { events = try? await store.diagnosesOfEvents(for: endpoints) }
            return remarks().map { .warning("server", $0, "`onward doctor` says more.") } + disk + ofResources
                + [invitations ?? nil].compactMap(\.self) + (events ?? [])
        }
    }

    private func readings(of metric: Metric) -> [ServerState.Reading] {
        registry.series(of: metric).compactMap { labels, series in
            guard case .number(let number) = series, number.value > 0 else { return nil }
            return ServerState.Reading(metric, labels.members.map { ($0.name, $0.value) }, number.value)
        }
    }
}
