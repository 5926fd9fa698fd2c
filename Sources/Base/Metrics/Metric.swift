/// All metrics. The values of labels are enum cases or come from the configuration (O7).
public enum Metric: Sendable, CaseIterable {
    case requests, rejected, requestSpans, untrustedForwarding, misdirectedRequests, connectionsAccepted,
        connectionsRefused, connectionsOpen, buffered, maxBuffered, handshakes, certificates, codesIssued, codesApplied,
        codesRefused, takenAddresses, linksMended, linksOpenedEarly, pressQuestions, pressAnswers, mailAttempts, mailAcceptance,
        mailFeedback, mailsWaiting, oldestMail, eventAttempts, eventsWaiting, eventsParked, invitations, commitSpans, commitSizes,
        commitFailures,
        writesWaiting, conflicts,
        replicaReads, passwordsWaiting, clockOffset, build, memory, processor, descriptors, maxDescriptors, start

    public enum Kind: Sendable, Hashable {
        case counter, gauge
        /// A histogram with the upper bounds of its buckets, and the number of recorded units per
        /// unit of the metric.
        case histogram(ends: [Double], scale: Double)
    }

    public var name: String { definition.name }
    public var kind: Kind { definition.kind }
    public var help: String { definition.help }

    /// The metric with a name; nil if there is none.
    public init?(name: String) {
        guard let metric = Self.byName[name] else { return nil }
        self = metric
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// The bucket bounds of what a request waits for.
    private static let spans = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private typealias Definition = (name: String, kind: Kind, help: String)

    private static func counter(_ name: String, _ help: String) -> Definition { (name, .counter, help) }
    private static func gauge(_ name: String, _ help: String) -> Definition { (name, .gauge, help) }

    /// A histogram of durations, which are recorded in nanoseconds.
    private static func seconds(_ name: String, _ ends: [Double], _ help: String) -> Definition {
        (name, .histogram(ends: ends, scale: 1_000_000_000), help)
    }

    private var definition: Definition {
        switch self {
        case .requests: Self.counter("onward_http_requests_total", "Requests answered, by route and class of status.")
        case .rejected: Self.counter("onward_http_rejected_total", "Requests that are not acceptable HTTP, by reason.")
        case .requestSpans:
            Self.seconds(
                "onward_http_request_duration_seconds", Self.spans,
                "Time from the last byte of a request to its response, by kind of route.")
        case .untrustedForwarding:
            Self.counter("onward_untrusted_forwarding_total", "Requests with X-Forwarded-For from a peer that is not in trustedProxies.")
        case .misdirectedRequests:
            Self.counter("onward_misdirected_requests_total", "Requests for a host that is not one of this server's.")
        case .connectionsAccepted: Self.counter("onward_connections_accepted_total", "Connections accepted.")
        case .connectionsRefused: Self.counter("onward_connections_refused_total", "Connections refused above limits.maxConnections.")
        case .connectionsOpen: Self.gauge("onward_connections_open", "Open connections.")
        case .buffered:
            Self.gauge("onward_http_buffered_bytes", "Bytes held for clients: incomplete requests, bodies, responses that wait to be sent.")
        case .maxBuffered: Self.gauge("onward_http_max_buffered_bytes", "Limit of these bytes, limits.maxBufferedBytes.")
        case .handshakes: Self.counter("onward_tls_handshakes_total", "TLS handshakes, by outcome.")
        case .certificates:
            Self.gauge("onward_tls_certificate_remaining_seconds", "Remaining validity of the certificates in use, by file.")
        case .codesIssued: Self.counter("onward_codes_issued_total", "Codes issued, by action.")
        case .codesApplied: Self.counter("onward_codes_applied_total", "Codes applied, by action.")
        case .codesRefused: Self.counter("onward_codes_refused_total", "Codes refused when opened or applied, by action and reason.")
        case .takenAddresses:
            Self.counter("onward_taken_addresses_total", "Answers that an address is taken: questions about who has an account.")
        case .linksMended:
            Self.counter(
                "onward_links_mended_total",
                "Links that mail programs had changed, and that were read all the same, by kind (action, app, short).")
        case .linksOpenedEarly:
            Self.counter(
                "onward_links_opened_early_total",
                "Links opened within ten seconds of their mail, mostly by programs that check mails, by action.")
        case .pressQuestions:
            Self.counter(
                "onward_press_questions_total",
                "Presses that were answered with a question, by question (number, secondPress, changedWays) and reason.")
        case .pressAnswers:
            Self.counter("onward_press_answers_total", "Answers to such questions, by question and outcome (right, wrong, tooSoon).")
        case .mailAttempts:
            Self.counter("onward_mail_attempts_total", "Attempts to hand a mail over, by outcome (accepted, deferred, refused) and kind.")
        case .mailAcceptance:
            Self.seconds(
                "onward_mail_acceptance_seconds", [0.01, 0.05, 0.25, 1, 5, 10, 30, 60, 300, 1800, 7200],
                "Time from the request for a mail to the acceptance by a relay.")
        case .mailFeedback:
            Self.counter(
                "onward_mail_feedback_total",
                "Reports about mails, by provider (relay: our own relays' answers) and kind (bounce, softBounce, complaint, senderRefused)."
            )
        case .mailsWaiting: Self.gauge("onward_mails_waiting", "Mails in the outbox, counted up to 10000.")
        case .oldestMail: Self.gauge("onward_mails_oldest_age_seconds", "Age of the oldest mail in the outbox; 0 if it is empty.")
        case .eventAttempts:
            Self.counter("onward_event_attempts_total", "Attempts to tell an endpoint of an event, by outcome (delivered, failed, parked).")
        case .eventsWaiting: Self.gauge("onward_events_waiting", "Events that wait for an endpoint, counted up to 10000.")
        case .invitations: Self.gauge("onward_invitations_waiting", "Invitations whose person has not come yet, counted up to 10000.")
        case .eventsParked: Self.gauge("onward_events_parked", "Events that were given up, counted up to 10000.")
        case .commitSpans:
            Self.seconds(
                "onward_store_commit_duration_seconds", Self.spans, "Time from the start of a batch of transactions until it is durable.")
        case .commitSizes:
            (
                "onward_store_commit_transactions", .histogram(ends: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], scale: 1),
                "Transactions per commit."
            )
        case .commitFailures: Self.counter("onward_store_commit_failures_total", "Commits that failed and were rolled back.")
        case .writesWaiting: Self.gauge("onward_store_writes_waiting", "Transactions that wait for the previous commit.")
        case .conflicts:
            Self.counter("onward_store_conflicts_total", "Transactions that ran again because they met others. Only with PostgreSQL.")
        case .replicaReads: Self.counter("onward_store_replica_reads_total", "Reads that a replica answered. Only with PostgreSQL.")
        case .passwordsWaiting: Self.gauge("onward_passwords_waiting", "Password hashes that wait for their turn.")
        case .clockOffset:
            Self.gauge("onward_clock_offset_seconds", "How far the wall clock is ahead of the time in use; negative if it was set back.")
        case .build: Self.gauge("onward_build_info", "Always 1; the label is the version.")
        case .memory: Self.gauge("process_resident_memory_bytes", "Resident memory.")
        case .processor: Self.counter("process_cpu_seconds_total", "User and system CPU time.")
        case .descriptors: Self.gauge("process_open_fds", "Open file descriptors.")
        case .maxDescriptors: Self.gauge("process_max_fds", "Limit of open file descriptors.")
        case .start: Self.gauge("process_start_time_seconds", "Start time of the process, in seconds since 1970.")
        }
    }
}
