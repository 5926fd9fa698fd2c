internal import Accounts
internal import Base

extension APIMethod {
    static let listEvents = APIMethod(
        "listEvents", source: .query, requiresAdmin: true, permissions: [.read], errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "The events that no back end has taken, oldest first, as `onward events list` prints them.",
            adminFields: [
                Property("localId", .text, "Only those of this account."),
                Property("state", .choice(EventDelivery.states), "Default: both."),
                Property("pageSize", .integer, "The most events: 1 to 1000; 100 by default."),
            ],
            response: [
                .always(
                    "events",
                    .list(
                        .object([
                            .always("event", .anything, "The body of the request (Docs/Events.md)."),
                            .always("endpoint", .text, "Without the query of its URL."),
                            .always("attempts", .integer, "Those that failed."),
                            .always("dueAt", .text, "ISO 8601."), Property("parkedAt", .text, "When it was given up."),
                            Property("cause", .text, "Why the last attempt failed."),
                        ])))
            ]),
        run: { (call) throws(ActionError) in try await call.listEvents() })

    static let retryEvent = APIMethod(
        "retryEvent", source: .query, requiresAdmin: true, errorStyle: .ours,
        documentation: MethodDocumentation(
            summary: "Sends an event again that waits or was given up, with the same id.",
            response: [.always("id", .text), Property("localId", .text, "The account that it tells of.")]),
        run: { (call) throws(ActionError) in try await call.retryEvent() })
}

extension Call {
    /// `projects.events`.
    func listEvents() async throws(ActionError) -> JSON {
        let state = try body.choice("state", of: EventDelivery.states)
        let found = try await accounts.events(
            of: try accountID(), parked: state.map { $0 == EventDelivery.states[1] }, in: project.id,
            limit: try pageSize(100, atMost: 1000))
        return .object(["events": .array(found.map(\.json))])
    }

    /// `events/{id}:retry`.
    func retryEvent() async throws(ActionError) -> JSON {
        let id = resource ?? ""
        let account = try await accounts.retryEvent(id, in: project.id)
        return .object(["id": .string(id), "localId": .string(ifAny: account?.rawValue)])
    }
}

extension EventDelivery {
    fileprivate static let states = ["waiting", "parked"]
}
