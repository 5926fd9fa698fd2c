import Base
import HTTPServer
import Network
import Store

/// Determines the gauges of the installation when metrics are requested.
struct Gauges: Sendable {
    let registry: MetricsRegistry
    let store: Store
    let connection: any OpenedDatabase
    let passwords: TurnQueue
    /// The certificates, nil without TLS.
    let certificates: CertificateWatch?
    let buffers: BufferBudget
    let clock: HighWaterClock

    /// The most mails, events and invitations that are counted.
    private static let maxCount = 10_000

    /// The text of all metrics. It is built on the global pool, because reading /proc takes a while
    /// with many connections.
    @concurrent func exposition() async -> [UInt8] {
        Array(Exposition(registry: registry, gauges: ProcessGauges.all + (await own)).text.utf8)
    }

    private var own: [Exposition.Gauge] {
        get async {
            let reading = clock.reading()
            let remaining = await certificates?.remaining(at: reading.wall) ?? []
            return [
                Exposition.Gauge(metric: .build, labels: Labels([("version", Version.current)]), value: 1),
                Exposition.Gauge(metric: .buffered, value: Double(buffers.heldBytes)),
                Exposition.Gauge(metric: .maxBuffered, value: Double(buffers.maxBytes)),
                Exposition.Gauge(metric: .clockOffset, value: reading.offset / .seconds(1)),
                Exposition.Gauge(metric: .passwordsWaiting, value: Double(passwords.waitingCount)),
                Exposition.Gauge(metric: .writesWaiting, value: Double(connection.waitingCount)),
            ]
                + connection.counts.map { Exposition.Gauge(metric: $0, value: Double($1)) }
                + remaining.map { file, span in
                    Exposition.Gauge(
                        metric: .certificates, labels: Labels([("file", file)]), value: Double(span.components.seconds))
                } + (await mails) + (await events) + (await invitations)
        }
    }

    /// The gauges of the outbox. They are omitted while the store cannot be read, since the number
    /// is unknown.
    private var mails: [Exposition.Gauge] {
        get async {
            guard let backlog = try? await store.backlog(countingTo: Self.maxCount) else { return [] }
            let age = backlog.oldest.map { clock.now() - $0 } ?? .zero
            return [
                Exposition.Gauge(metric: .mailsWaiting, value: Double(backlog.mails)),
                Exposition.Gauge(metric: .oldestMail, value: Double(max(0, age.components.seconds))),
            ]
        }
    }

    private var invitations: [Exposition.Gauge] {
        get async {
            guard let count = try? await store.countInvitations(upTo: Self.maxCount) else { return [] }
            return [Exposition.Gauge(metric: .invitations, value: Double(count))]
        }
    }

    private var events: [Exposition.Gauge] {
        get async {
            guard let waiting = try? await store.countEvents(parked: false, upTo: Self.maxCount),
                let parked = try? await store.countEvents(parked: true, upTo: Self.maxCount)
            else { return [] }
            return [
                Exposition.Gauge(metric: .eventsWaiting, value: Double(waiting)),
                Exposition.Gauge(metric: .eventsParked, value: Double(parked)),
            ]
        }
    }
}
