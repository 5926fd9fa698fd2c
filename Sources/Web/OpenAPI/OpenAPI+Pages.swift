internal import JSON

/// What is served beside the API: pages for people, files for phones, answers for load balancers.
extension OpenAPI {
    static func pages(inDevelopment: Bool) -> [JSON.Member] {
        let pages: KeyValuePairs<String, JSON?> = [
            "/__/auth/action": .object([
                "get": page("actionPage", "The page behind a mailed link: says what will happen. Changes nothing.", link),
                "post": page("pressed", "Does what the page said, once, and sends the person on.", link, form: true),
            ]),
            "/__/auth/done": .object(["get": page("donePage", "The page that says what was done.")]),
            "/__/auth/resend": .object(["post": page("sendAgain", "Sends a new link in place of one that is over.", form: true)]),
            "/__/auth/reset": .object(["post": page("sendPasswordReset", "Mails a password reset after an undo.", form: true)]),
            "/__/auth/links": .object([
                "get": page("appLink", "On a link domain: where a browser goes that no app caught.", ["link"])
            ]),
            "/healthz": .object(["get": text("alive", "Whether the process lives. Any host may be named.")]),
            "/readyz": .object(["get": text("ready", "Whether a code could be spent now; 503 when not.")]),
            "/metrics": .object(["get": text("metrics", "What is counted, for Prometheus; for admins.")]),
            "/robots.txt": .object(["get": text("robots", "Nothing here is for search engines.")]),
            "/.well-known/apple-app-site-association": .object([
                "get": file("appleAppSiteAssociation", "On a link domain: the apps that Apple's devices open links in.", .map(.anything))
            ]),
            "/.well-known/assetlinks.json": .object([
                "get": file("assetLinks", "On a link domain: the apps that Android opens links in.", .list(.map(.anything)))
            ]),
            "/openapi.json": .object(["get": file("openAPI", "This document.", .map(.anything))]),
            "/": inDevelopment ? .object(["get": startPage]) : nil,
            "/inbox": inDevelopment ? .object(["get": page("inbox", "The mails that did not leave.")]) : nil,
            "/inbox/messages.json": inDevelopment
                ? .object(["get": file("inboxMessages", "The same for tests.", .map(.anything))]) : nil,
        ]
        return pages.compactMap { path, item in item.map { JSON.Member(name: path, value: $0) } }
    }

    private static let link = ["mode", "oobCode", "apiKey", "continueUrl", "lang"]

    /// For browsers; scripts get what they wait for of the Auth emulator.
    private static let startPage: JSON = .object([
        "operationId": "startPage", "summary": "Where to begin; for who does not ask for HTML, that the server is ready.",
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
    ])

    private static func page(_ id: String, _ summary: String, _ parameters: [String] = [], form: Bool = false) -> JSON {
        let html: JSON = .object(["text/html": .object(["schema": Schema.text.json])])
        let fields: JSON = .object(["schema": Schema.map(.text).json])
        return .object([
            "operationId": .string(id), "summary": .string(summary), "security": .array([]),
            "parameters": parameters.isEmpty
                ? nil
                : .array(parameters.map { .object(["name": .string($0), "in": "query", "schema": Schema.text.json]) }),
            "requestBody": form ? .object(["content": .object(["application/x-www-form-urlencoded": fields])]) : nil,
            "responses": .object([
                "200": .object(["description": "A page.", "content": html]),
                "303": .object(["description": "On to where the person goes."]),
                "default": .object(["description": "A page that says what is wrong and what to do."]),
            ]),
        ])
    }

    private static func text(_ id: String, _ summary: String) -> JSON {
        read(id, summary, "text/plain", .text, orElse: "Not now.")
    }

    private static func file(_ id: String, _ summary: String, _ schema: Schema) -> JSON {
        read(id, summary, "application/json", schema, orElse: "Not on this host.")
    }
}

extension EmulatorMethod {
    /// Only in development.
    var operation: JSON {
        let id = "emulator.\(self)"
        let config: Schema = .object([
            .always("signIn", .object([.always("allowDuplicateEmails", .flag)])),
            .always("emailPrivacyConfig", .object([.always("enableImprovedEmailPrivacy", .flag)])),
        ])
        return switch self {
        case .oobCodes:
            OpenAPI.read(
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
            OpenAPI.read(
                id, "Always empty: no codes are sent by phone.", "application/json",
                .object([.always("verificationCodes", .list(.anything))]))
        case .deleteAccounts: OpenAPI.read(id, "Forgets every account of the project.", "application/json", .object([]))
        case .getConfig: OpenAPI.read(id, "What test code may switch.", "application/json", config)
        case .patchConfig: OpenAPI.read(id, "Switches it.", "application/json", config, orElse: "Refused.")
        }
    }
}
