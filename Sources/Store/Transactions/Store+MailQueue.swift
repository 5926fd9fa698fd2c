public import Accounts
public import Base

extension Store {
    /// The number of expired mails from which on a lease looks for no more, so that its transaction
    /// is short.
    private static let maxExpired = 1_000
    /// The wait of a mail whose link has expired only by an unconfirmed time.
    private static let wait = Duration.seconds(60)

    public func lease(_ lease: MailLease, at now: Timestamp) async throws(ActionError) -> [StoredMail] {
        try await claim { records throws(ActionError) in
            try records.submit(records.waking, [now])
            var leased: [StoredMail] = []
            var expiredCount = 0
            let projects = try records.projectsInTurn(after: lease.after)
            let share = max(1, lease.limit / max(1, projects.count))
            for project in projects where leased.count < lease.limit {
                var limit = min(share, lease.limit - leased.count, lease.limitOfProject(project))
                // Mails that expired while no relay worked do not take the turns of live ones.
                while limit > 0, expiredCount < Self.maxExpired {
                    let mails: [StoredMail] = try records.all(records.mailsInTurn, [project, limit])
                    guard !mails.isEmpty else { break }
                    for var mail in mails {
                        if let expiry = mail.uselessAfter, expiry <= now {
                            let outcome = DeliveryOutcome(.refused, answer: "the link has expired")
                            try records.end(mail, as: .expired, outcome, keepsLetter: lease.keepsLetters, at: now)
                            expiredCount += 1
                        } else if let expiry = mail.uselessAfter, let latest = lease.latest, expiry <= latest {
                            try records.submit(SQLRecords.leasing, [now + Self.wait, mail.attempts, mail.id])
                            expiredCount += 1
                        } else {
                            mail.attempts += 1
                            try records.submit(SQLRecords.leasing, [lease.until, mail.attempts, mail.id])
                            leased.append(mail)
                            limit -= 1
                        }
                    }
                }
            }
            return leased
        }
    }

    public func giveUp(writtenBefore moment: Timestamp, keepsLetters: Bool, at now: Timestamp) async throws(ActionError) -> Int {
        let erasure = keepsLetters ? nil : now
        return try await claim { records throws(ActionError) in
            try records.execute(
                records.givingUp, [now, now, "it waited for too long", erasure, erasure, moment, now, Self.maxExpired])
        }
    }

    public func end(
        _ mail: StoredMail, as end: MailEndReason, _ outcome: DeliveryOutcome, keepsLetter: Bool, at now: Timestamp
    ) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.end(mail, as: end, outcome, keepsLetter: keepsLetter, at: now)
        }
    }

    public func postpone(_ mail: StoredMail, until next: Timestamp, _ outcome: DeliveryOutcome) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(SQLRecords.postponing, [next, outcome.relay, outcome.answer, mail.id, mail.attempts])
        }
    }

    public func release(_ mails: [StoredMail]) async throws(ActionError) {
        guard !mails.isEmpty else { return }
        try await claim { records throws(ActionError) in
            for mail in mails { try records.submit(SQLRecords.releasing, [mail.id, mail.attempts]) }
        }
    }
}

extension SQLRecords {
    /// Mails whose next attempt is due, or whose lease has ended without a result.
    fileprivate var waking: String {
        "UPDATE mail SET due_at = NULL WHERE id IN (SELECT id FROM mail WHERE ending IS NULL AND due_at <= ?\(claiming))"
    }
    fileprivate var mailsInTurn: String {
        """
        \(StoredMail.select) WHERE ending IS NULL AND due_at IS NULL AND project = ?
        ORDER BY priority, turn, id LIMIT ?\(claiming)
        """
    }
    /// A mail that an admin retries has an answer and begins with its first attempt again, so it is
    /// not too old.
    fileprivate var givingUp: String {
        """
        UPDATE mail SET ending = CASE WHEN useless_after <= ? THEN 'expired' ELSE 'parked' END, ended_at = ?, due_at = NULL,
            answer = coalesce(answer, ?), sealed = CASE WHEN useless_after <= ? THEN NULL ELSE sealed END,
            recipient = CASE WHEN useless_after <= ? THEN NULL ELSE recipient END
        WHERE id IN (
            SELECT id FROM mail WHERE ending IS NULL AND created_at < ? AND (due_at IS NULL OR due_at <= ?)
                AND (answer IS NULL OR attempts > 0)
            ORDER BY created_at LIMIT ?\(claiming))
        """
    }
    fileprivate static let leasing = "UPDATE mail SET due_at = ?, attempts = ? WHERE id = ?"
    fileprivate static let releasing =
        "UPDATE mail SET due_at = NULL, attempts = attempts - 1 WHERE id = ? AND attempts = ? AND ending IS NULL"
    fileprivate static let postponing =
        "UPDATE mail SET due_at = ?, relay = ?, answer = ? WHERE id = ? AND attempts = ? AND ending IS NULL"

    /// The projects that have mails to send now, beginning behind the one that had the last turn.
    /// Each is found by one seek in an index, however many mails it has.
    fileprivate func projectsInTurn(after last: ProjectID?) throws(ActionError) -> [ProjectID] {
        var projects: [ProjectID] = []
        while true {
            let found: [ProjectID?] = try column(Self.projectWithMails, [projects.last?.rawValue ?? ""])
            guard let next = found.first ?? nil else { break }
            projects.append(next)
        }
        guard let last, let start = projects.firstIndex(where: { $0.rawValue > last.rawValue }) else { return projects }
        return Array(projects[start...] + projects[..<start])
    }

    private static let projectWithMails =
        "SELECT min(project) FROM mail WHERE ending IS NULL AND due_at IS NULL AND project > ?"

    fileprivate func end(
        _ mail: StoredMail, as end: MailEndReason, _ outcome: DeliveryOutcome, keepsLetter: Bool, at now: Timestamp
    ) throws(ActionError) {
        try submit(
            keepsLetter ? Self.ending : Self.endingAndErasing, [end, now, outcome.relay, outcome.answer, mail.id, mail.attempts])
    }

    private static let ending = endingMail(erasing: "")
    private static let endingAndErasing = endingMail(erasing: ", sealed = NULL, recipient = NULL")

    private static func endingMail(erasing: String) -> String {
        """
        UPDATE mail SET ending = ?, ended_at = ?, due_at = NULL, relay = coalesce(?, relay), answer = ?\(erasing)
        WHERE id = ? AND attempts = ? AND ending IS NULL
        """
    }
}

extension MailEndReason: SQLConvertible {}
