internal import Accounts
internal import Base

extension APIMethod {
    static let listMails = APIMethod(
        "listMails", source: .query, requiresAdmin: true, permissions: [.read],
        documentation: MethodDocumentation(
            summary:
                "The mails to an address, newest first, and why it gets none, as `onward mail trace` prints them: never a link or a code.",
            adminFields: [
                Property("to", .text, "The address that the mails were sent to. Required."),
                Property("pageSize", .integer, "1 to 1000; 100 by default."),
                Property("pageToken", .text, "The `nextPageToken` of the page before."),
            ],
            response: [
                .always(
                    "mails",
                    .list(
                        .object([
                            .always("id", .text, "The Message-ID up to the @."), .always("project", .text),
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
                    .list(
                        .object([
                            .always("project", .text),
                            .always(
                                "reason", .choice(Suppression.Reason.allCases.map(\.rawValue)),
                                "`bounce`: the mailbox does not exist, no mails are sent. `complaint`: only links are sent."),
                            .always("provider", .choice(FeedbackProvider.allCases.map(\.rawValue))), .always("at", .text),
                            Property("until", .text, "Absent if it ends only when it is removed."),
                        ])), "Those in force; on each page."), Property("nextPageToken", .text, "Absent on the last page."),
            ],
            refusals: [.missingEmail, .invalidEmail]),
        run: { (call) throws(ActionError) in try await call.listMails() })
}

extension Call {
    /// `projects.mails`: what became of the mails to an address, page by page, and why it gets
    /// none. An address without an account has mails too.
    func listMails() async throws(ActionError) -> JSON {
        guard let recipient = try body.email("to") else { throw .refused(.missingEmail, detail: "Name the address in to") }
        let limit = try body.integer("pageSize") ?? 100
        guard (1...1000).contains(limit) else { throw .refused(.invalidArgument, detail: "/pageSize must be from 1 to 1000") }
        let before = try body.text("pageToken").map { text throws(ActionError) in
            guard let id = MailID(text) else { throw .refused(.invalidArgument, detail: "/pageToken must be a nextPageToken") }
            return id
        }
        let mails = try await accounts.mailRecords(to: recipient, in: project.id, before: before, limit: Int(limit))
        return .object([
            "mails": .array(mails.map(\.json)),
            "suppressions": .array(try await accounts.suppressions(of: recipient, in: project.id).map(\.json)),
            "nextPageToken": mails.count == Int(limit) ? mails.last.map { .string($0.id.description) } : nil,
        ])
    }
}
