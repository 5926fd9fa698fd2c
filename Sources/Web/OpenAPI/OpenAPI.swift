internal import Accounts
internal import Base
internal import HTTPTypes

/// The document at `/openapi.json`: every documented route of the route table.
///
/// Source: OpenAPI 3.1.
enum OpenAPI {
    /// The document as a file that tools of any origin may read. It never changes, so it is written
    /// once, when it is first asked for.
    static func file(inDevelopment: Bool) -> PublicFile { inDevelopment ? development : production }
    private static let production = file(document(inDevelopment: false))
    private static let development = file(document(inDevelopment: true))

    private static func file(_ document: JSON) -> PublicFile {
        PublicFile("application/json; charset=utf-8", document.bytes, fresh: .atMost(.minutes(5)), sharedWithAnyOrigin: true)
    }

    static func document(inDevelopment: Bool) -> JSON {
        let routes = Dictionary(grouping: RouteTable.routes.filter { inDevelopment || !$0.isDevelopmentOnly }, by: \.path)
        let paths = routes.sorted { $0.key < $1.key }
            .compactMap { path, routes in item(path, routes).map { JSON.Member(name: path, value: $0) } }
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "Onward", "version": "1",
                "summary": "Links that accounts send by e-mail, on the wire of Firebase Authentication.",
                "description": .string(introduction),
                "license": .object(["name": "Apache-2.0", "identifier": "Apache-2.0"]),
            ]),
            "servers": .array([.object(["url": "/"])]),
            "paths": .object(paths),
            "webhooks": .object(["event": eventWebhook]),
            "components": .object([
                "schemas": .object(SharedSchema.allCases.map { JSON.Member(name: $0.rawValue, value: $0.schema.json) }),
                "securitySchemes": .object([
                    "apiKey": .object(["type": "apiKey", "in": "query", "name": "key"]),
                    "apiKeyHeader": .object(["type": "apiKey", "in": "header", "name": "X-Goog-Api-Key"]),
                    "admin": .object(["type": "http", "scheme": "bearer"]),
                    "mailProvider": .object([
                        "type": "apiKey", "in": "header", "name": "webhook-signature",
                        "description": "The provider's proof, in its own field or in the body: Docs/MailFeedback.md.",
                    ]),
                ]),
            ]),
        ])
    }

    private static let introduction = """
        Each path is also served behind Google's host, as SDKs in emulator mode write it: `/identitytoolkit.googleapis.com/v1/…`, \
        `/securetoken.googleapis.com/v1/token`, `/www.googleapis.com/identitytoolkit/v3/…`. Field names may be camelCase or snake_case, \
        numbers may be sent in place of strings of digits, unknown fields are ignored.
        """

    /// The requests that back ends of apps get, signed by Standard Webhooks.
    private static let eventWebhook: JSON = .object([
        "post": .object([
            "operationId": "event", "summary": "Tells a back end of a change of accounts (Docs/Events.md).",
            "parameters": .array(
                ["webhook-id", "webhook-timestamp", "webhook-signature"].map { name in
                    .object(["name": .string(name), "in": "header", "required": .bool(true), "schema": Schema.text.json])
                }),
            "requestBody": .object([
                "required": .bool(true),
                "content": .object(["application/json": .object(["schema": Schema.shared(.event).json])]),
            ]),
            "responses": .object([
                "2XX": .object(["description": "The event is stored, and not sent again."]),
                "410": .object(["description": "The event is not wanted, and is parked."]),
                "default": .object(["description": "The event is sent again, for three days."]),
            ]),
        ])
    ])

    /// The path item; nil if no route of the path is documented.
    private static func item(_ path: String, _ routes: [Route]) -> JSON? {
        let operations = routes.compactMap { route in
            operation(route).map { JSON.Member(name: route.methods.documented, value: $0) }
        }.sorted { $0.name < $1.name }
        guard !operations.isEmpty else { return nil }
        let named = ["project", "id", "path", "shortLink"].filter { path.contains("{\($0)}") }.map { name in
            JSON.object(["name": .string(name), "in": "path", "required": .bool(true), "schema": Schema.text.json])
        }
        let parameters = named.isEmpty ? [] : [JSON.Member(name: "parameters", value: .array(named))]
        return .object(parameters + operations)
    }

    private static func operation(_ route: Route) -> JSON? {
        switch route.handler {
        case .page: route.documentation?.operation
        case .call(let method): operation(method, of: route)
        case .emulator(let method): method.operation
        case .published(let publication): operation(publication, at: route.path)
        case .notOffered: nil
        }
    }

    private static func operation(_ publication: Publication, at path: String) -> JSON {
        let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        let summary =
            switch publication {
            case .jwks: "The public keys of ID tokens and session cookies. Source: RFC 7517."
            case .certificates: "The public keys as PEM certificates, by their ids."
            case .discovery: "The metadata of a project's issuer for OpenID Connect libraries, if that is Onward."
            }
        return .read(
            path.contains("/v3/") ? "\(name).v3" : String(name), summary, "application/json",
            .map(publication == .certificates ? .text : .anything),
            otherwise: publication == .discovery ? "No such project, or its issuer is not Onward." : nil)
    }

    private static func operation(_ method: APIMethod, of route: Route) -> JSON {
        let documentation = method.documentation
        let parameters =
            documentation.parameters
            + (method.source.isQuery ? documentation.fields + documentation.adminFields : []).filter {
                !route.path.contains("{\($0.name)}")
            }
        let refusals = (documentation.refusals + MethodDocumentation.commonRefusals).map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let isOurs = method.errorStyle == .ours
        return .object([
            "operationId": .string(operationID(method, at: route.path)),
            "summary": .string(documentation.summary),
            "parameters": parameters.isEmpty ? nil : .array(parameters.map(\.inQuery)),
            "requestBody": method.source.isQuery ? nil : body(of: method),
            "responses": .object([
                "200": response("The result.", .object(documentation.response)),
                "400": response("Refused: \(refusals).", .shared(.error)),
                "401": response("The bearer token is not an admin key\(isOurs ? ", or none was sent" : "").", .shared(.error)),
                "403": response(
                    isOurs ? "The key does not allow this." : "No credential was sent, or it does not allow this.", .shared(.error)),
                "503": response("A dependency of the server is down. Nothing was changed.", .shared(.error)),
            ]),
            "security": .array(route.credential.schemes),
        ])
    }

    /// A method may have several addresses.
    private static func operationID(_ method: APIMethod, at path: String) -> String {
        if path.contains("/v3/") { return "\(method).v3" }
        if path.hasSuffix("/accounts") { return "\(method).create" }
        return path.contains("{project}") ? "\(method).ofProject" : "\(method)"
    }

    private static func body(of method: APIMethod) -> JSON {
        let documentation = method.documentation
        let admins = documentation.adminFields.map { field in
            Property(field.name, field.schema, (field.note.map { $0 + " " } ?? "") + "From admins only.")
        }
        let schema: JSON = .object(["schema": Schema.object(documentation.fields + admins).json])
        return .object([
            "required": .bool(true),
            "content": .object([
                "application/json": schema,
                "application/x-www-form-urlencoded": method.source == .jsonOrForm ? schema : nil,
            ]),
        ])
    }

    private static func response(_ description: String, _ schema: Schema) -> JSON {
        .object([
            "description": .string(description),
            "content": .object(["application/json": .object(["schema": schema.json])]),
        ])
    }
}

extension Route.Methods {
    /// The name of the operation in a path item.
    fileprivate var documented: String {
        switch self {
        case .read, .any: "get"
        case .only(let method): method.rawValue.lowercased()
        }
    }
}

extension Route.RequiredCredential {
    fileprivate var schemes: [JSON] {
        let admin: JSON = .object(["admin": .array([])])
        return switch self {
        case .none: []
        case .admin: [admin]
        case .mailProvider: [.object(["mailProvider": .array([])])]
        case .apiKeyOrAdmin: [.object(["apiKey": .array([])]), .object(["apiKeyHeader": .array([])]), admin]
        }
    }
}

extension EmulatorMethod {
    /// The operation in the document, which lists it in development only.
    fileprivate var operation: JSON {
        let id = "emulator.\(self)"
        let config: Schema = .object([
            .always("signIn", .object([.always("allowDuplicateEmails", .flag)])),
            .always("emailPrivacyConfig", .object([.always("enableImprovedEmailPrivacy", .flag)])),
        ])
        return switch self {
        case .oobCodes:
            .read(
                id, "The live codes, oldest first.", "application/json",
                .object([
                    .always(
                        "oobCodes",
                        .list(
                            .object([
                                .always("email", .text), Property("newEmail", .text), .always("requestType", .text),
                                .always("oobCode", .text), .always("oobLink", .text),
                            ])))
                ]))
        case .verificationCodes:
            .read(
                id, "Always empty: no codes are sent by phone.", "application/json",
                .object([.always("verificationCodes", .list(.anything))]))
        case .deleteAccounts: .read(id, "Deletes every account of the project.", "application/json", .object([]))
        case .getConfig: .read(id, "The settings that test code may change.", "application/json", config)
        case .patchConfig: .read(id, "Changes the settings of the project.", "application/json", config, otherwise: "Refused.")
        }
    }
}
