/// All metrics by name. The values of labels are enum cases or come from the configuration (O7).
public enum Metric: String, Sendable, CaseIterable {
    case requests = "onward_http_requests_total"
    case rejected = "onward_http_rejected_total"
    case requestSpans = "onward_http_request_duration_seconds"
    case untrustedForwarding = "onward_untrusted_forwarding_total"
    case misdirectedRequests = "onward_misdirected_requests_total"
    case connectionsAccepted = "onward_connections_accepted_total"
    case connectionsRefused = "onward_connections_refused_total"
    case connectionsOpen = "onward_connections_open"
    case buffered = "onward_http_buffered_bytes"
    case maxBuffered = "onward_http_max_buffered_bytes"
    case handshakes = "onward_tls_handshakes_total"
    case certificates = "onward_tls_certificate_remaining_seconds"
    case codesIssued = "onward_codes_issued_total"
    case codesApplied = "onward_codes_applied_total"
    case codesRefused = "onward_codes_refused_total"
    case takenAddresses = "onward_taken_addresses_total"
    case linksMended = "onward_links_mended_total"
    case pressQuestions = "onward_press_questions_total"
    case pressAnswers = "onward_press_answers_total"
    case mailAttempts = "onward_mail_attempts_total"
    case mailAcceptance = "onward_mail_acceptance_seconds"
    case mailFeedback = "onward_mail_feedback_total"
    case mailsWaiting = "onward_mails_waiting"
    case oldestMail = "onward_mails_oldest_age_seconds"
    case commitSpans = "onward_store_commit_duration_seconds"
    case commitSizes = "onward_store_commit_transactions"
    case commitFailures = "onward_store_commit_failures_total"
    case writesWaiting = "onward_store_writes_waiting"
    case conflicts = "onward_store_conflicts_total"
    case replicaReads = "onward_store_replica_reads_total"
    case passwordsWaiting = "onward_passwords_waiting"
    case clockOffset = "onward_clock_offset_seconds"
    case build = "onward_build_info"
    case memory = "process_resident_memory_bytes"
    case processor = "process_cpu_seconds_total"
    case descriptors = "process_open_fds"
    case maxDescriptors = "process_max_fds"
    case start = "process_start_time_seconds"

    enum Kind: Sendable, Hashable {
        case counter, gauge
        /// A histogram with the upper bounds of its buckets, and the number of recorded units per
        /// unit of the metric.
        case histogram(ends: [Double], scale: Double)
    }

    /// The bucket bounds of durations, in seconds.
    private static let spans = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    var kind: Kind {
        switch self {
        case .requests, .rejected, .untrustedForwarding, .misdirectedRequests, .connectionsAccepted, .connectionsRefused, .handshakes,
            .codesIssued, .codesApplied, .codesRefused, .takenAddresses, .linksMended, .pressQuestions, .pressAnswers, .mailAttempts,
            .mailFeedback,
            .commitFailures, .conflicts, .replicaReads, .processor:
            .counter
        case .mailAcceptance: .histogram(ends: [0.01, 0.05, 0.25, 1, 5, 10, 30, 60, 300, 1800, 7200], scale: 1_000_000_000)
        case .requestSpans, .commitSpans: .histogram(ends: Self.spans, scale: 1_000_000_000)
        case .commitSizes: .histogram(ends: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], scale: 1)
        case .connectionsOpen, .buffered, .maxBuffered, .certificates, .mailsWaiting, .oldestMail, .writesWaiting, .passwordsWaiting,
            .clockOffset, .build, .memory, .descriptors, .maxDescriptors, .start:
            .gauge
        }
    }

    /// The help text of the metric.
    var help: String {
        switch self {
        case .requests: "Requests answered, by route and class of status."
        case .rejected: "Requests that are not acceptable HTTP, by reason."
        case .requestSpans: "Time from the last byte of a request to its response, by kind of route."
        case .misdirectedRequests: "Requests for a host that is not one of this server's."
        case .untrustedForwarding: "Requests with X-Forwarded-For from a peer that is not in trustedProxies."
        case .connectionsAccepted: "Connections accepted."
        case .connectionsRefused: "Connections refused above limits.maxConnections."
        case .connectionsOpen: "Open connections."
        case .buffered: "Bytes held for clients: incomplete requests, bodies, responses that wait to be sent."
        case .maxBuffered: "Limit of these bytes, limits.maxBufferedBytes."
        case .handshakes: "TLS handshakes, by outcome."
        case .certificates: "Remaining validity of the certificates in use, by file."
        case .codesIssued: "Codes issued, by action."
        case .codesApplied: "Codes applied, by action."
        case .codesRefused: "Codes refused when opened or applied, by action and reason."
        case .takenAddresses: "Answers that an address is taken: questions about who has an account."
        case .linksMended: "Links that mail programs had changed, and that were read all the same, by kind (action, app, short)."
        case .pressQuestions: "Presses that were answered with a question, by question (number, secondPress, changedWays) and reason."
        case .pressAnswers: "Answers to such questions, by question and outcome (right, wrong, tooSoon)."
        case .mailAttempts: "Attempts to hand a mail over, by outcome (accepted, deferred, refused) and kind."
        case .mailAcceptance: "Time from the request for a mail to the acceptance by a relay."
        case .mailFeedback:
            "Reports about mails, by provider (relay: our own relays' answers) and kind (bounce, softBounce, complaint, senderRefused)."
        case .mailsWaiting: "Mails in the outbox, counted up to 10000."
        case .oldestMail: "Age of the oldest mail in the outbox; 0 if it is empty."
        case .commitSpans: "Time from the start of a batch of transactions until it is durable."
        case .commitSizes: "Transactions per commit."
        case .commitFailures: "Commits that failed and were rolled back."
        case .writesWaiting: "Transactions that wait for the previous commit."
        case .conflicts: "Transactions that ran again because they met others. Only with PostgreSQL."
        case .replicaReads: "Reads that a replica answered. Only with PostgreSQL."
        case .passwordsWaiting: "Password hashes that wait for their turn."
        case .clockOffset: "How far the wall clock is ahead of the time in use; negative if it was set back."
        case .build: "Always 1; the label is the version."
        case .memory: "Resident memory."
        case .processor: "User and system CPU time."
        case .descriptors: "Open file descriptors."
        case .maxDescriptors: "Limit of open file descriptors."
        case .start: "Start time of the process, in seconds since 1970."
        }
    }
}
