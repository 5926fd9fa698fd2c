internal import Accounts
internal import Base
internal import HTTPServer

/// A method of the API: its name in logs, metrics and audit records, where its fields are, what it
/// does, and what the OpenAPI document says about it. Each is declared in a file with Firebase's
/// name.
struct APIMethod: Sendable, Hashable, CustomStringConvertible {
    /// The part of a request that contains the fields of a call.
    enum FieldSource {
        case json, jsonOrForm, query
        /// The query, and the short link in the path as the field `shortLink`.
        case shortLinkAndQuery
        /// The query, and the address in the path as the field `to`.
        case addressAndQuery

        var isQuery: Bool { [.query, .shortLinkAndQuery, .addressAndQuery].contains(self) }
    }

    /// How errors are written.
    enum ErrorStyle {
        /// With the codes of Identity Toolkit, which its SDKs parse.
        case identityToolkit
        /// With Google's canonical statuses and sentences, as other APIs of Google do.
        case canonical
        /// With the codes of Identity Toolkit, and with 401 and 403 for callers who may not. For
        /// methods that Google does not have, whose callers are no SDKs.
        case ours
    }

    let name: String
    let source: FieldSource
    /// Whether only admins may call it, also by a path that does not name a project.
    let requiresAdmin: Bool
    /// The permissions without which an admin key is refused.
    let permissions: Set<AdminScope.Permission>
    /// Whether the method is about accounts. Projects with an upstream have none here.
    let needsAccounts: Bool
    /// Whether the method is about no project in particular, so that a key of several need not name
    /// one.
    let isOfAnyProject: Bool
    let errorStyle: ErrorStyle
    /// The largest body of an admin. Clients send at most `Route.usualBodyBytes` to any method.
    let maxBodyBytes: Int
    let documentation: MethodDocumentation
    let run: @Sendable (Call) async throws(ActionError) -> JSON
    /// Holds the response to a client; nil, or returns nil, if it is answered at once.
    let hold: (@Sendable (Call) async throws(ActionError) -> HeldResponse?)?

    init(
        _ name: String, source: FieldSource = .json, requiresAdmin: Bool = false, permissions: Set<AdminScope.Permission> = [.write],
        needsAccounts: Bool = true, isOfAnyProject: Bool = false, errorStyle: ErrorStyle = .identityToolkit,
        maxBodyBytes: Int = Route.usualBodyBytes,
        documentation: MethodDocumentation, hold: (@Sendable (Call) async throws(ActionError) -> HeldResponse?)? = nil,
        run: @escaping @Sendable (Call) async throws(ActionError) -> JSON
    ) {
        self.name = name
        self.source = source
        self.requiresAdmin = requiresAdmin
        self.permissions = permissions
        self.needsAccounts = needsAccounts
        self.isOfAnyProject = isOfAnyProject
        self.errorStyle = errorStyle
        self.maxBodyBytes = maxBodyBytes
        self.documentation = documentation
        self.hold = hold
        self.run = run
    }

    var description: String { name }

    static func == (a: Self, b: Self) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A method of Google's that this server knows and does not offer, with the sentence that says so.
enum NotOffered: String, Sendable, CaseIterable {
    case providers = "This call for identity providers is not offered by this server"
    case appVerification = "This server does not verify apps; it limits text messages by number, range and source instead"
    case tenants = "Tenants are not offered by this server: configure a project for each"
    case saml = "SAML is not offered by this server"
    case passkeys = "Passkeys are not offered by this server"
    case signOutByServer = "Sessions end by accounts:update with validSince, not by signOutUser"
    case samlResponses = "This server issues no SAML responses"
    case listOfProviders = "The providers of the configuration are listed under defaultSupportedIdpConfigs"

    /// Whether an SDK calls such methods. SDKs know `OPERATION_NOT_ALLOWED`, and no 501.
    var isKnownToSDKs: Bool {
        switch self {
        case .providers, .appVerification, .tenants, .saml, .passkeys: true
        case .signOutByServer, .samlResponses, .listOfProviders: false
        }
    }
}
