internal import Base

/// The description of a route in the OpenAPI document.
struct RouteDocumentation: Sendable {
    /// The operation object of OpenAPI; nil if the route's handler documents itself.
    let operation: JSON?

    /// The documentation that the handler of an API route has.
    static let api = RouteDocumentation(operation: nil)

    /// A page for users.
    static func page(_ id: String, _ summary: String, parameters: [String] = [], takesForm: Bool = false) -> RouteDocumentation {
        let html: JSON = .object(["text/html": .object(["schema": Schema.text.json])])
        let fields: JSON = .object(["schema": Schema.map(.text).json])
        return RouteDocumentation(
            operation: .object([
                "operationId": .string(id), "summary": .string(summary), "security": .array([]),
                "parameters": parameters.isEmpty
                    ? nil
                    : .array(parameters.map { .object(["name": .string($0), "in": "query", "schema": Schema.text.json]) }),
                "requestBody": takesForm ? .object(["content": .object(["application/x-www-form-urlencoded": fields])]) : nil,
                "responses": .object([
                    "200": .object(["description": "A page.", "content": html]),
                    "303": .object(["description": "A redirect to the page that follows."]),
                    "default": .object(["description": "A page that says what is wrong and what to do."]),
                ]),
            ]))
    }

    static func text(_ id: String, _ summary: String) -> RouteDocumentation {
        RouteDocumentation(operation: .read(id, summary, "text/plain", .text, otherwise: "Not now."))
    }

    static func file(_ id: String, _ summary: String, _ schema: Schema, parameters: [Property] = []) -> RouteDocumentation {
        RouteDocumentation(
            operation: .read(id, summary, "application/json", schema, parameters: parameters, otherwise: "Not on this host."))
    }

    /// The start page of `onward dev`, which programs read as JSON.
    static let startPage = RouteDocumentation(
        operation: .object([
            "operationId": "startPage", "summary": "The start page; for clients that do not ask for HTML, that the server is ready.",
            "security": .array([]),
            "responses": .object([
                "200": .object([
                    "description": "A page, or JSON.",
                    "content": .object([
                        "text/html": .object(["schema": Schema.text.json]),
                        "application/json": .object(["schema": Schema.map(.anything).json]),
                    ]),
                ])
            ]),
        ]))
}

extension JSON {
    /// An operation that reads something public.
    ///
    /// - Parameter otherwise: the meaning of every status but 200; nil if there is no other.
    static func read(
        _ id: String, _ summary: String, _ type: String, _ schema: Schema, parameters: [Property] = [], otherwise: String? = nil
    ) -> JSON {
        let found = [JSON.Member(name: type, value: .object(["schema": schema.json]))]
        return .object([
            "operationId": .string(id), "summary": .string(summary), "security": .array([]),
            "parameters": parameters.isEmpty ? nil : .array(parameters.map(\.inQuery)),
            "responses": .object([
                "200": .object(["description": .string(summary), "content": .object(found)]),
                "default": otherwise.map { .object(["description": .string($0)]) },
            ]),
        ])
    }
}
