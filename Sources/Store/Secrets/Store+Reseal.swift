public import Accounts

/// The number of values that were sealed again.
public struct ResealCounts: Sendable, Hashable {
    public var resealed = 0
    /// Values that are damaged, or sealed with a secret that is not known.
    public var impossible = 0

    public init(resealed: Int = 0, impossible: Int = 0) { (self.resealed, self.impossible) = (resealed, impossible) }
}

/// The digests in the database that a former secret made, which cannot be made again.
public struct FormerDigests: Sendable, Hashable {
    public let table: String
    public let count: Int

    public init(table: String, count: Int) { (self.table, self.count) = (table, count) }
}

extension Store {
    /// Seals everything again that a former secret sealed, in transactions of at most `limit` rows.
    /// The next call continues one that was interrupted. Then the previous secret is not needed:
    /// the keys of its digests are stored, sealed.
    /// - Parameters:
    ///   - secrets: as `recognize` returned them; with a previous secret if there is one.
    ///   - progress: called with the total counts after each transaction.
    public func reseal(
        by secrets: Secrets, limit: Int = 500, progress: (ResealCounts) -> Void = { _ in }
    ) async throws(ActionError) -> [(table: String, counts: ResealCounts)] {
        var report: [(table: String, counts: ResealCounts)] = []
        var total = ResealCounts()
        for column in SealedColumn.all {
            var (counts, position) = (ResealCounts(), [SQLValue]?.none)
            repeat {
                let start = position
                let batch = try await transaction { records throws(ActionError) in
                    var counts = ResealCounts()
                    let last = try records.reseal(column, after: start, limit: limit, by: secrets, counting: &counts)
                    return (counts, last)
                }
                position = batch.1
                counts.resealed += batch.0.resealed
                counts.impossible += batch.0.impossible
                progress(ResealCounts(resealed: total.resealed + counts.resealed, impossible: total.impossible + counts.impossible))
            } while position != nil
            total.resealed += counts.resealed
            total.impossible += counts.impossible
            report.append((column.table, counts))
        }
        report.append(("project_settings", try await resealSettings(by: secrets)))
        try await endChange(of: secrets)
        return report
    }

    /// The secrets that admins gave to Onward for providers. A change gets a new revision, so that
    /// servers read it.
    private func resealSettings(by secrets: Secrets) async throws(ActionError) -> ResealCounts {
        var counts = ResealCounts()
        for stored in try await settings(changedAfter: 0) {
            var result = stored.settings?.resealed(by: secrets).counts ?? ResealCounts()
            if result.resealed > 0 {
                _ = try await changeSettings(of: stored.project, at: stored.changedAt) { $0 = $0.resealed(by: secrets).settings }
            }
            if stored.settings == nil { result.impossible += 1 }
            counts.resealed += result.resealed
            counts.impossible += result.impossible
        }
        return counts
    }

    private func endChange(of secrets: Secrets) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            let known = try Self.knownSecrets(records).map { secret in
                guard secret.state != .current, let maker = secrets.former.first(where: { $0.number == secret.number && $0.opens })
                else { return secret }
                return secret.becoming(.resealed, sealedKeys: maker.sealedDigestKeys(by: secrets))
            }
            try Self.replace(known, records)
        }
    }

    /// The digests that are stored and were made with a former secret, by their table. Secrets
    /// without one are forgotten.
    public func formerDigests(by secrets: Secrets) async throws(ActionError) -> [FormerDigests] {
        let (tables, current) = (Self.digestColumns, secrets.number)
        let found = try await read { records throws(ActionError) in
            try tables.map { (table, column) throws(ActionError) in
                (table, try records.all("SELECT substr(\(column), 1, 1), count(*) FROM \(table) GROUP BY 1") as [DigestCount])
            }
        }
        let kept = Set(found.flatMap { $0.1.map(\.number) })
        try await transaction { records throws(ActionError) in
            let known = try Self.knownSecrets(records)
            let needed = known.filter { $0.state != .resealed || kept.contains($0.number) }
            if needed.count < known.count { try Self.replace(needed, records) }
        }
        return found.map { table, counts in
            FormerDigests(table: table, count: counts.filter { $0.number != current }.map(\.count).reduce(0, +))
        }
    }

    /// The columns of digests that something is found by.
    static let digestColumns = [
        ("session", "digest"), ("code", "digest"), ("recovery_code", "digest"), ("admin_key", "digest"), ("known_network", "digest"),
        ("upstream_try", "digest"), ("mail", "recipient_digest"), ("mail_suppression", "recipient_digest"), ("mail_report", "digest"),
        ("verification_code", "session"), ("verification_code", "digest"),
    ]
}

/// The number of digests that begin with the number of one secret.
private struct DigestCount: RowReadable {
    let number: UInt8
    let count: Int

    init(row: inout SQLRow) throws(SQLFailure) {
        let first: [UInt8] = try row.next()
        (number, count) = (first.first ?? 0, try row.next())
    }
}

extension ProjectSettings {
    fileprivate func resealed(by secrets: Secrets) -> (settings: ProjectSettings, counts: ResealCounts) {
        var (settings, counts) = (self, ResealCounts())
        for (id, provider) in providers {
            guard let sealed = provider.sealedSecret else { continue }
            switch secrets.reseal(sealed, for: .clientSecret) {
            case .unneeded: break
            case .impossible: counts.impossible += 1
            case .resealed(let sealed):
                counts.resealed += 1
                settings[provider: id]?.sealedSecret = sealed
            }
        }
        return (settings, counts)
    }
}
