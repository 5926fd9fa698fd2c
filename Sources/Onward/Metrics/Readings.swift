import Accounts
import Queues
import SQLite
import Store

/// What is looked up when somebody asks for the metrics, beside what was counted meanwhile.
struct Readings: Sendable {
    let registry: Registry
    let store: Store
    let connection: SQLiteDatabase
    let passwords: WorkerPool
    /// Nil without TLS.
    let certificates: Certificates?
    let now: Now

    /// Mails are counted up to here.
    private static let maxMails = 10_000

    /// Away from the listener's queue, because the system's files take a while with many connections.
    @concurrent func exposition() async -> [UInt8] {
        Array(Exposition(registry: registry, readings: ProcessReadings.all + (await own)).text.utf8)
    }

    private var own: [Exposition.Reading] {
        get async {
            let ends = await certificates?.remaining(at: now()) ?? []
            return [
                Exposition.Reading(metric: .build, labels: Labels([("version", Version.current)]), value: 1),
                Exposition.Reading(metric: .passwordsWaiting, value: Double(passwords.waitingCount)),
                Exposition.Reading(metric: .writesWaiting, value: Double(connection.waitingCount)),
            ]
                + ends.map { file, span in
                    Exposition.Reading(
                        metric: .certificates, labels: Labels([("file", file)]), value: Double(span.components.seconds))
                } + (await mails)
        }
    }

    /// None while the store cannot be read: no mails and no answer are different things.
    private var mails: [Exposition.Reading] {
        get async {
            guard let backlog = try? await store.backlog(countingTo: Self.maxMails) else { return [] }
            let age = backlog.oldest.map { now() - $0 } ?? .zero
            return [
                Exposition.Reading(metric: .mailsWaiting, value: Double(backlog.mails)),
                Exposition.Reading(metric: .oldestMail, value: Double(max(0, age.components.seconds))),
            ]
        }
    }
}
