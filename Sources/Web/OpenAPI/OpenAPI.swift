internal import Accounts
internal import EmailActions
internal import HTTPTypes
internal import JSON

/// The document at `/openapi.json`: every address, from the very table that calls are found by, and of each what its `Outline` says.
///
/// Source: OpenAPI 3.1.
enum OpenAPI {
    /// The same for everyone as long as the process lives, so it is written once, when it is first asked for. For tools of any origin.
    static func file(inDevelopment: Bool) -> PublicFile { inDevelopment ? development : production }
    private static let production = file(document(inDevelopment: false))
    private static let development = file(document(inDevelopment: true))

    private static func file(_ document: JSON) -> PublicFile {
        PublicFile("application/json; charset=utf-8", document.bytes, fresh: .atMost(.minutes(5)), sharedWithAnyOrigin: true)
    }

    static func document(inDevelopment: Bool) -> JSON {
        let paths = Endpoint.table.filter { inDevelopment || !$0.key.hasPrefix("/emulator/") }
            .compactMap { path, verbs in item(path, verbs).map { JSON.Member(name: path, value: $0) } }
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "Onward", "version": "1",
                "summary": "Links that accounts send by e-mail, on the wire of Firebase Authentication.",
                "description": .string(introduction),
                "license": .object(["name": "Apache-2.0", "identifier": "Apache-2.0"]),
            ]),
            "servers": .array([.object(["url": "/"])]),
            "paths": .object((paths + pages(inDevelopment: inDevelopment)).sorted { $0.name < $1.name }),
            "components": .object([
                "schemas": .object(Shared.allCases.map { JSON.Member(name: $0.rawValue, value: $0.schema.json) }),
                "securitySchemes": .object([
                    "apiKey": .object(["type": "apiKey", "in": "query", "name": "key"]),
                    "apiKeyHeader": .object(["type": "apiKey", "in": "header", "name": "X-Goog-Api-Key"]),
                    "admin": .object(["type": "http", "scheme": "bearer"]),
                ]),
            ]),
        ])
    }

    private static let introduction = """
        Each path also stands behind Google's host, as SDKs in emulator mode write it: `/identitytoolkit.googleapis.com/v1/…`, \
        `/securetoken.googleapis.com/v1/token`, `/www.googleapis.com/identitytoolkit/v3/…`. Field names may be camelCase or snake_case, \
        numbers may stand where strings of digits are expected, unknown fields are ignored.
        """

    /// Nil for an address where nothing is offered.
    private static func item(_ path: String, _ verbs: Endpoint.Verbs) -> JSON? {
        let operations = verbs.sorted { $0.key.rawValue < $1.key.rawValue }
            .compactMap { verb, method in
                operation(method, at: path).map { JSON.Member(name: verb.rawValue.lowercased(), value: $0) }
            }
        guard !operations.isEmpty else { return nil }
        let project: JSON = .object(["name": "project", "in": "path", "required": .bool(true), "schema": Schema.text.json])
        let parameters = path.contains("{project}") ? [JSON.Member(name: "parameters", value: .array([project]))] : []
        return .object(parameters + operations)
    }

    private static func operation(_ method: Endpoint.Method, at path: String) -> JSON? {
        switch method {
        case .call(let call): operation(call, at: path)
        case .emulator(let method): method.operation
        case .published(let publication): operation(publication, at: path)
        case .notOffered: nil
        }
    }

    private static func operation(_ publication: Publication, at path: String) -> JSON {
        let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        let summary =
            switch publication {
            case .jwks: "The public keys of ID tokens and session cookies. Source: RFC 7517."
            case .certificates: "The same keys in PEM certificates, by their ids."
            case .discovery: "What OpenID libraries must know of a project's issuer, where that is Onward."
            }
        return read(
            path.contains("/v3/") ? "\(name).v3" : String(name), summary, "application/json",
            .map(publication == .certificates ? .text : .anything),
            orElse: publication == .discovery ? "No such project, or its issuer is not Onward." : nil)
    }

    private static func operation(_ method: Call.Method, at path: String) -> JSON {
        let outline = method.outline
        let parameters = outline.parameters + (method.source == .query ? outline.fields + outline.adminFields : [])
        let isOfAdmins = path.contains("{project}")
        let refusals = (outline.refusals + Outline.everyones).map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let admin: JSON = .object(["admin": .array([])])
        return .object([
            "operationId": .string(operationID(method, at: path)),
            "summary": .string(outline.summary),
            "parameters": parameters.isEmpty ? nil : .array(parameters.map { parameter($0) }),
            "requestBody": method.source == .query ? nil : body(of: method, outline),
            "responses": .object([
                "200": response("Done.", .object(outline.answer)),
                "400": response("Refused: \(refusals).", .shared(.error)),
                "401": response("A bearer token that is no admin's.", .shared(.error)),
                "403": response("Neither an API key nor a bearer token.", .shared(.error)),
                "503": response("Something of the server's is down; nothing was changed.", .shared(.error)),
            ]),
            "security": .array(
                isOfAdmins ? [admin] : [.object(["apiKey": .array([])]), .object(["apiKeyHeader": .array([])]), admin]),
        ])
    }

    /// One method may stand at several addresses.
    private static func operationID(_ method: Call.Method, at path: String) -> String {
        if path.contains("/v3/") { return "\(method).v3" }
        if path.hasSuffix("/accounts") { return "\(method).create" }
        return path.contains("{project}") ? "\(method).ofProject" : "\(method)"
    }

    private static func body(of method: Call.Method, _ outline: Outline) -> JSON {
        let admins = outline.adminFields.map { field in
            Property(field.name, field.schema, (field.note.map { $0 + " " } ?? "") + "From admins only.")
        }
        let schema: JSON = .object(["schema": Schema.object(outline.fields + admins).json])
        return .object([
            "required": .bool(true),
            "content": .object([
                "application/json": schema,
                "application/x-www-form-urlencoded": method.source == .jsonOrForm ? schema : nil,
            ]),
        ])
    }

    private static func parameter(_ field: Property) -> JSON {
        .object([
            "name": .string(field.name), "in": "query", "schema": field.schema.json, "description": .string(ifAny: field.note),
        ])
    }

    static func response(_ description: String, _ schema: Schema) -> JSON {
        .object([
            "description": .string(description),
            "content": .object(["application/json": .object(["schema": schema.json])]),
        ])
    }

    /// Something that anyone may read.
    /// - Parameter otherwise: what any other status means; nil where there is none of its own.
    static func read(_ id: String, _ summary: String, _ type: String, _ schema: Schema, orElse otherwise: String? = nil) -> JSON {
        let found = [JSON.Member(name: type, value: .object(["schema": schema.json]))]
        return .object([
            "operationId": .string(id), "summary": .string(summary), "security": .array([]),
            "responses": .object([
                "200": .object(["description": .string(summary), "content": .object(found)]),
                "default": otherwise.map { .object(["description": .string($0)]) },
            ]),
        ])
    }
}
