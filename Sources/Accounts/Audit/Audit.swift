/// Sees to it that nothing is done with an admin's power that is not on record: it is written, durably, before it begins, and
/// completed when it is over (O3).
package struct Audit: Sendable {
    private let store: any AuditStore
    private let lost: @Sendable (AuditRecord, ActionError) -> Void

    /// - Parameter lost: told when a record could not be completed: what it is about has happened, so it stays without an outcome.
    package init(store: any AuditStore, lost: @escaping @Sendable (AuditRecord, ActionError) -> Void) {
        self.store = store
        self.lost = lost
    }

    /// Throws where it cannot be written; then nothing may be done.
    package func begin(_ record: AuditRecord) async throws(ActionError) -> Entry {
        Entry(audit: self, record: record, position: try await store.begin(record))
    }

    /// What is on record and not over yet: the permission to do it.
    package struct Entry: Sendable {
        fileprivate let audit: Audit
        fileprivate let record: AuditRecord
        fileprivate let position: Int

        /// Does it, and writes how it went.
        /// - Parameters:
        ///   - code: says a failure in one word.
        ///   - subjects: the ids that only the result tells, beside those that were known before.
        package func run<Value, Failure: Error>(
            code: (Failure) -> String, subjects: (Value) async -> [String], _ work: () async throws(Failure) -> Value
        ) async throws(Failure) -> Value {
            let result: Value
            do { result = try await work() } catch {
                await end(.refused(code: code(error)), subjects: [])
                throw error
            }
            await end(.done, subjects: await subjects(result))
            return result
        }

        private func end(_ outcome: AuditRecord.Outcome, subjects: [String]) async {
            var over = record
            over.outcome = outcome
            over.subjects += subjects.filter { !record.subjects.contains($0) }
            do { try await audit.store.end(position, as: over) } catch { audit.lost(over, error) }
        }
    }
}

/// Where records are kept.
package protocol AuditStore: Sendable {
    /// Durable when it returns.
    /// - Returns: where the record stands.
    func begin(_ record: AuditRecord) async throws(ActionError) -> Int
    /// Completes a record by its outcome and subjects; one that has an outcome never changes again.
    func end(_ position: Int, as record: AuditRecord) async throws(ActionError)
}
