internal import Accounts
internal import Base

extension APIMethod {
    static let overview = APIMethod(
        "overview", source: .query, requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "How the project's mails, links and server do.",
            response: [
                .always(
                    "server",
                    .object([
                        .always("version", .text), .always("schema", .integer, "The version of the database's schema."),
                        .always("nodes", .integer, "The configured number of processes on the database."),
                        .always("startedAt", .text, "ISO 8601, as all times here: of the process that answers."),
                    ])),
                .always(
                    "warnings",
                    .list(
                        .object([
                            .always("severity", .choice(Diagnosis.Severity.allCases.map(\.rawValue))), .always("subject", .text),
                            .always("says", .text), Property("remedy", .text),
                        ])),
                    "What `onward doctor` would warn of, as far as no other machine has to be asked. "
                        + "A key of one project is told what concerns that."),
                .always(
                    "mails",
                    .object([
                        .always("waiting", .list(group), "At most 20000 mails are counted, here and below."),
                        .always("parked", .list(group), "Given up, and still kept."),
                        .always("since", .text, "The start of `ended`: a day ago, or later if there are more mails."),
                        .always(
                            "ended",
                            .list(
                                .object([
                                    .always("hour", .text), .always("kind", .choice(LetterKind.allCases.map(\.rawValue))),
                                    .always("state", .choice(MailEndReason.allCases.map(\.rawValue))), Property("relay", .text),
                                    .always("count", .integer),
                                ])), "By the hour in which they ended, of the project."),
                    ])),
                .always(
                    "counters",
                    .list(
                        .object([
                            .always("name", .text, "As in `/metrics`."), .always("labels", .map(.text)), .always("value", .integer),
                        ])), "Since this process started, in all projects. Empty for a key of one project."),
            ]),
        run: { (call) throws(ActionError) in try await call.overview() })

    private static let group: Schema = .object([
        .always("kind", .choice(LetterKind.allCases.map(\.rawValue))), Property("relay", .text, "Absent before the first attempt."),
        .always("count", .integer), .always("oldest", .text), Property("answer", .text, "One of the relay's answers."),
    ])
}

extension Call {
    /// `projects.overview`.
    func overview() async throws(ActionError) -> JSON {
        let mails = try await accounts.mailOverview(in: project.id)
        let state = await toolkit.serverState(project, caller.admin?.scope.project == nil)
        return .object([
            "server": .object([
                "version": .string(state.version), "schema": .int(state.schema), "nodes": .int(state.nodes),
                "startedAt": .string(state.startedAt.iso8601),
            ]),
            "warnings": .array(state.diagnoses.filter { $0.severity != .ok }.map(\.json)), "mails": mails.json,
            "counters": .array(state.readings.map(\.json)),
        ])
    }
}

extension MailOverview {
    fileprivate var json: JSON {
        .object([
            "waiting": .array(waiting.map(\.json)), "parked": .array(parked.map(\.json)), "since": .string(since.iso8601),
            "ended": .array(
                ended.map { hour in
                    .object([
                        "hour": .string(hour.start.iso8601), "kind": .string(hour.kind.rawValue), "state": .string(hour.end.rawValue),
                        "relay": .string(ifAny: hour.relay), "count": .int(hour.count),
                    ])
                }),
        ])
    }
}

extension MailOverview.Group {
    fileprivate var json: JSON {
        .object([
            "kind": .string(kind.rawValue), "relay": .string(ifAny: relay), "count": .int(count), "oldest": .string(oldest.iso8601),
            "answer": .string(ifAny: answer),
        ])
    }
}

extension ServerState.Reading {
    fileprivate var json: JSON {
        .object([
            "name": .string(metric.name), "labels": .object(labels.map { JSON.Member(name: $0.name, value: .string($0.value)) }),
            "value": .int(Int(value)),
        ])
    }
}
