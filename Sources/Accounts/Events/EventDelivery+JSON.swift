public import Base

extension EventDelivery {
    /// The endpoint without the rest of its URL, which may be a secret.
    public var shownEndpoint: String { (try? WebURL(endpoint)).map { $0.origin + $0.path } ?? "" }

    /// The delivery as an object, for admins.
    public var json: JSON {
        .object([
            "event": event.json, "endpoint": .string(shownEndpoint), "attempts": .int(attempts), "dueAt": .string(dueAt.iso8601),
            "parkedAt": .string(ifAny: parkedAt?.iso8601), "cause": .string(ifAny: cause),
        ])
    }
}
