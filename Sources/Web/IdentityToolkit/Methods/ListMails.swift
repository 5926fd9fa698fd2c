internal import Accounts
internal import Base

extension APIMethod {
    static let listMails = APIMethod(
        "listMails", source: .query, requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary:
                "The mails to an address or about an account, newest first, or those that wait or are parked: never a link or a code.",
            adminFields: [
                Property("to", .text, "The address that the mails were sent to. Name this, `localId` or `state`."),
                Property("localId", .text, "The account that the mails concern."),
                Property(
                    "state", .choice(MailRecord.openStates),
                    "All mails of the project in this state. Those that wait: oldest first, one page."),
                Property("pageSize", .integer, "1 to 1000; 100 by default."),
                Property("pageToken", .text, "The `nextPageToken` of the page before."),
            ],
            response: [
                .always(
                    "mails",
                    .list(
                        .object([
                            .always("id", .text, "The Message-ID up to the @."), .always("project", .text),
                            Property("localId", .text, "The account that it concerns."),
                            .always("kind", .choice(LetterKind.allCases.map(\.rawValue))), .always("language", .text),
                            .always("createdAt", .text, "ISO 8601, as all times here."),
                            .always(
                                "state", .choice(MailRecord.states),
                                "`sent`: a relay took it. `parked`: refused for good, or tried for too long. `expired`: its link did."),
                            Property("endedAt", .text), .always("attempts", .integer),
                            Property("nextAttemptAt", .text, "Or the end of the attempt that is under way."), Property("relay", .text),
                            Property("answer", .text, "Of the relay to the last attempt."),
                            Property(
                                "code", .choice(MailRecord.Code.allCases.map(\.rawValue)),
                                "What became of its code; absent if it has none. Opening a link is not recorded."),
                        ]))),
                .always(
                    "suppressions",
                    .list(.suppression), "With `to`: those in force, on each page."),
                Property("nextPageToken", .text, "Absent on the last page."),
            ],
            refusals: [.missingEmail, .invalidEmail]),
        run: { (call) throws(ActionError) in try await call.listMails() })
}

extension Call {
    /// `projects.mails`: what became of the mails to an address, page by page, and why it gets
    /// none. An address without an account has mails too.
    func listMails() async throws(ActionError) -> JSON {
        let recipient = try body.email("to")
        let selection = try mailSelection(to: recipient)
        let limit = try pageSize(100, atMost: 1000)
        let before = try body.text("pageToken").map { text throws(ActionError) in
            guard let id = MailID(text) else { throw .refused(.invalidArgument, detail: "/pageToken must be a nextPageToken") }
            return id
        }
        let mails = try await accounts.mailRecords(selection, in: project.id, before: before, limit: limit)
        var suppressions: [Suppression] = []
        if let recipient { suppressions = try await accounts.suppressions(of: recipient, in: project.id) }
        let isLast = if case .waiting = selection { true } else { mails.count < limit }
        return .object([
            "mails": .array(mails.map(\.json)), "suppressions": .array(suppressions.map(\.json)),
            "nextPageToken": isLast ? nil : mails.last.map { .string($0.id.description) },
        ])
    }

    private func mailSelection(to recipient: EmailAddress?) throws(ActionError) -> MailSelection {
        if let recipient { return accounts.mails(to: recipient, in: project.id) }
        if let id = try accountID() { return .about(id) }
        switch try body.choice("state", of: MailRecord.openStates) {
        case nil: throw .refused(.missingEmail, detail: "Name the address in to, an account in localId, or a state")
        case MailRecord.openStates[0]: return .waiting
        default: return .parked
        }
    }
}

extension MailRecord {
    /// The states that a mail is in until someone or something ends them.
    fileprivate static let openStates = ["waiting", "parked"]
}
