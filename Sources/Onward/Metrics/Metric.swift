/// Every metric that there is, by its name. Labels are enums where they are counted, or come from the configuration (O7).
enum Metric: String, Sendable, CaseIterable {
    case requests = "onward_http_requests_total"
    case rejected = "onward_http_rejected_total"
    case requestSpans = "onward_http_request_duration_seconds"
    case connectionsAccepted = "onward_connections_accepted_total"
    case connectionsRefused = "onward_connections_refused_total"
    case connectionsOpen = "onward_connections_open"
    case handshakes = "onward_tls_handshakes_total"
    case certificates = "onward_tls_certificate_remaining_seconds"
    case codesIssued = "onward_codes_issued_total"
    case codesApplied = "onward_codes_applied_total"
    case codesRefused = "onward_codes_refused_total"
    case mailsWaiting = "onward_mails_waiting"
    case oldestMail = "onward_mails_oldest_age_seconds"
    case commitSpans = "onward_store_commit_duration_seconds"
    case commitSizes = "onward_store_commit_transactions"
    case commitFailures = "onward_store_commit_failures_total"
    case writesWaiting = "onward_store_writes_waiting"
    case passwordsWaiting = "onward_passwords_waiting"
    case build = "onward_build_info"
    case memory = "process_resident_memory_bytes"
    case processor = "process_cpu_seconds_total"
    case descriptors = "process_open_fds"
    case maxDescriptors = "process_max_fds"
    case start = "process_start_time_seconds"

    enum Kind: Sendable, Hashable {
        case counter, gauge
        /// With the upper ends of its buckets, and how many of what is recorded make one of the unit in its name.
        case histogram(ends: [Double], scale: Double)
    }

    /// Where something goes from quick to slow, in seconds.
    private static let spans = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    var kind: Kind {
        switch self {
        case .requests, .rejected, .connectionsAccepted, .connectionsRefused, .handshakes, .codesIssued, .codesApplied, .codesRefused,
            .commitFailures, .processor:
            .counter
        case .requestSpans, .commitSpans: .histogram(ends: Self.spans, scale: 1_000_000_000)
        case .commitSizes: .histogram(ends: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], scale: 1)
        case .connectionsOpen, .certificates, .mailsWaiting, .oldestMail, .writesWaiting, .passwordsWaiting, .build, .memory, .descriptors,
            .maxDescriptors, .start:
            .gauge
        }
    }

    /// One line, for whoever reads a dashboard.
    var help: String {
        switch self {
        case .requests: "Requests answered, by route and class of status."
        case .rejected: "What came and was no acceptable HTTP, by what was wrong with it."
        case .requestSpans: "From a request's last byte to the making of its answer, by kind of route."
        case .connectionsAccepted: "Connections taken."
        case .connectionsRefused: "Connections turned away at the ceiling (limits.maxConnections)."
        case .connectionsOpen: "Connections that are open."
        case .handshakes: "TLS handshakes, by how they ended."
        case .certificates: "For how long a certificate in use is valid, by its file."
        case .codesIssued: "Links made, by action."
        case .codesApplied: "Links that did their work, by action."
        case .codesRefused: "Links that were opened or pressed and did not work, by action and reason."
        case .mailsWaiting: "Mails in the outbox; more than 10000 are not counted."
        case .oldestMail: "Age of the oldest mail in the outbox; 0 when it is empty."
        case .commitSpans: "From the beginning of a group of transactions to its being durable."
        case .commitSizes: "Transactions that one commit made durable."
        case .commitFailures: "Commits that failed and were rolled back."
        case .writesWaiting: "Transactions that wait for the commit before theirs."
        case .passwordsWaiting: "Password hashes that wait for a core."
        case .build: "Always 1; the label is what runs."
        case .memory: "Resident memory."
        case .processor: "Processor time used, of user and system."
        case .descriptors: "File descriptors in use."
        case .maxDescriptors: "File descriptors that may be in use."
        case .start: "When the process began, in seconds since 1970."
        }
    }
}
