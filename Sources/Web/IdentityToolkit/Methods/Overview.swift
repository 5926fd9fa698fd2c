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
                    "What `onward doctor` would warn of without asking other machines."),
                .always("concernsServer", .flag, "False for a key of one project, which is warned of that only, and sees no counters."),
                .always(
                    "mails",
                    .object([
                        .always("waiting", .list(group)), Property("oldestWaiting", .text, "When it was written."),
                        .always("parked", .list(group), "Given up, and still kept."),
                        .always("countedTo", .integer, "The most mails that are counted in `waiting`, and in `parked`."),
                        .always("since", .text, "The start of `ended`: a day ago, or later if more mails ended."),
                        .always(
                            "ended",
                            .list(
                                .object([
                                    .always("hour", .text), .always("kind", .choice(LetterKind.allCases.map(\.rawValue))),
                                    .always("state", .choice(MailEndReason.allCases.map(\.rawValue))), Property("relay", .text),
                                    .always("count", .integer),
                                ])), "By the hour in which they ended."),
                    ])),
                .always(
                    "counters",
                    .list(
                        .object([
                            .always("name", .text, "As in `/metrics`."), .always("labels", .map(.text)), .always("value", .integer),
                        ])), "Since this process started, in all projects."),
            ]),
        run: { (call) throws(ActionError) in try await call.overview() })

    private static let group: Schema = .object([
        .always("kind", .choice(LetterKind.allCases.map(\.rawValue))), Property("relay", .text, "Absent before the first attempt."),
        .always("count", .integer), Property("answer", .text, "One of the relay's answers."),
    ])
}

extension Call {
    /// `projects.overview`.
    func overview() async throws(ActionError) -> JSON {
        let mails = try await accounts.mailOverview(in: project.id)
        let isWhole = caller.admin?.scope.project == nil
        let state = await toolkit.serverState(project, isWhole)
        return .object([
            "server": .object([
                "version": .string(state.version), "schema": .int(state.schema), "nodes": .int(state.nodes),
                "startedAt": .string(state.startedAt.iso8601),
            ]),
            "warnings": .array(state.diagnoses.filter { $0.severity != .ok }.map(\.json)), "concernsServer": .bool(isWhole),
            "mails": mails.json,
            "counters": .array(state.readings.map(\.json)),
        ])
    }
}

extension MailOverview {
    fileprivate var json: JSON {
        .object([
            "waiting": .array(waiting.map(\.json)), "oldestWaiting": .string(ifAny: oldestWaiting?.iso8601),
            "parked": .array(parked.map(\.json)), "countedTo": .int(limit), "since": .string(since.iso8601),
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
            "kind": .string(kind.rawValue), "relay": .string(ifAny: relay), "count": .int(count), "answer": .string(ifAny: answer),
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
