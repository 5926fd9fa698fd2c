internal import Accounts
internal import HTTPTypes
internal import JSON

/// What a path asks for, and of which project where it says so. Paths are exact and case-sensitive.
struct Endpoint: Sendable, Hashable {
    enum Method: Sendable, Hashable {
        case call(Call.Method)
        /// Only in development.
        case emulator(EmulatorMethod)
        case published(Publication)
        /// Known, and for a reason not here.
        case notOffered(NotOffered)
    }

    typealias Verbs = [HTTPRequest.Method: Method]

    let project: ProjectID?
    private let verbs: Verbs

    subscript(verb: HTTPRequest.Method) -> Method? { verbs[verb == .head ? .get : verb] }

    /// For the `Allow` header.
    var allowed: String { verbs.keys.map(\.rawValue).sorted().joined(separator: ", ") }
}

extension Endpoint {
    /// Every address of the API, without Google's host in front; `{project}` stands for a project's id.
    static let table: [String: Verbs] = {
        var table = olderSpelling.merging(ofClients) { $1 }.merging(ofAdmins) { $1 }.merging(ofEmulator) { $1 }
        // What clients may call, admins may call for a project.
        for (path, verbs) in ofClients where path.hasPrefix("/v1/accounts:") {
            table["/v1/projects/{project}" + path.dropFirst("/v1".count)] = verbs
        }
        return table
    }()

    private static let ofClients: [String: Verbs] = [
        "/v1/accounts:signUp": [.post: .call(.signUp)],
        "/v1/accounts:signInWithPassword": [.post: .call(.signInWithPassword)],
        "/v1/accounts:signInWithEmailLink": [.post: .call(.signInWithEmailLink)],
        "/v1/accounts:signInWithCustomToken": [.post: .call(.signInWithCustomToken)],
        "/v1/accounts:sendOobCode": [.post: .call(.sendOobCode)],
        "/v1/accounts:resetPassword": [.post: .call(.resetPassword)],
        "/v1/accounts:update": [.post: .call(.update)],
        "/v1/accounts:lookup": [.post: .call(.lookup)],
        "/v1/accounts:delete": [.post: .call(.delete)],
        "/v1/accounts:createAuthUri": [.post: .call(.createAuthUri)],
        "/v1/projects": [.get: .call(.getProjectConfig)],
        "/v2/passwordPolicy": [.get: .call(.passwordPolicy)],
        "/v2/recaptchaConfig": [.get: .call(.recaptchaConfig)],
        "/v1/token": [.post: .call(.token)],
        "/.well-known/jwks.json": [.get: .published(.jwks)],
        "/v1/sessionCookiePublicKeys": [.get: .published(.jwks)],
        "/v1/publicKeys": [.get: .published(.certificates)],
        "/{project}\(discovery)": [.get: .published(.discovery)],
        "/v1/accounts:signInWithIdp": [.post: .notOffered(.providers)],
        "/v1/accounts:sendVerificationCode": [.post: .notOffered(.phone)],
        "/v1/accounts:signInWithPhoneNumber": [.post: .notOffered(.phone)],
        "/v1/accounts:verifyIosClient": [.post: .notOffered(.phone)],
        "/v1/recaptchaParams": [.get: .notOffered(.phone)],
        "/v1/accounts:signInWithGameCenter": [.post: .notOffered(.providers)],
        "/v1/accounts:issueSamlResponse": [.post: .notOffered(.saml)],
        "/v2/accounts:revokeToken": [.post: .notOffered(.providers)],
    ]

    private static let ofAdmins: [String: Verbs] = [
        "/v1/projects/{project}/accounts": [.post: .call(.signUp)],
        "/v1/projects/{project}:createSessionCookie": [.post: .call(.createSessionCookie)],
        "/v1/projects/{project}/accounts:batchCreate": [.post: .call(.batchCreate)],
        "/v1/projects/{project}/accounts:batchGet": [.get: .call(.batchGet)],
        "/v1/projects/{project}/accounts:batchDelete": [.post: .call(.batchDelete)],
        "/v1/projects/{project}/accounts:query": [.post: .call(.query)],
        "/v2/projects/{project}/config": [.get: .call(.getConfig), .patch: .call(.updateConfig)],
    ]

    private static let ofEmulator: [String: Verbs] = [
        "/emulator/v1/projects/{project}/oobCodes": [.get: .emulator(.oobCodes)],
        "/emulator/v1/projects/{project}/verificationCodes": [.get: .emulator(.verificationCodes)],
        "/emulator/v1/projects/{project}/accounts": [.delete: .emulator(.deleteAccounts)],
        "/emulator/v1/projects/{project}/config": [.get: .emulator(.getConfig), .patch: .emulator(.patchConfig)],
    ]

    /// By which Apple's SDK still calls.
    private static let olderSpelling: [String: Verbs] = Dictionary(
        uniqueKeysWithValues: ([
            "signupNewUser": [.post: .call(.signUp)],
            "verifyPassword": [.post: .call(.signInWithPassword)],
            "verifyCustomToken": [.post: .call(.signInWithCustomToken)],
            "publicKeys": [.get: .published(.certificates)],
            "emailLinkSignin": [.post: .call(.signInWithEmailLink)],
            "getOobConfirmationCode": [.post: .call(.sendOobCode)],
            "resetPassword": [.post: .call(.resetPassword)],
            "setAccountInfo": [.post: .call(.update)],
            "getAccountInfo": [.post: .call(.lookup)],
            "deleteAccount": [.post: .call(.delete)],
            "createAuthUri": [.post: .call(.createAuthUri)],
            "getProjectConfig": [.get: .call(.getProjectConfig)],
            "uploadAccount": [.post: .call(.uploadAccount)],
            "downloadAccount": [.post: .call(.downloadAccount)],
            "verifyAssertion": [.post: .notOffered(.providers)],
            "sendVerificationCode": [.post: .notOffered(.phone)],
            "verifyPhoneNumber": [.post: .notOffered(.phone)],
            "verifyClient": [.post: .notOffered(.phone)],
            "getRecaptchaParam": [.get: .notOffered(.phone)],
            "signOutUser": [.post: .notOffered(.signOutByServer)],
        ] as [String: Verbs]).map { (v3 + $0, $1) })
    private static let v3 = "/identitytoolkit/v3/relyingparty/"

    /// Whole families, by how their paths begin.
    private static let families: [(start: String, reason: NotOffered)] = [
        ("/v1/projects/{project}/tenants/", .tenants), ("/v2/projects/{project}/tenants", .tenants),
        ("/v2/projects/{project}/oauthIdpConfigs", .providers), ("/v2/projects/{project}/defaultSupportedIdpConfigs", .providers),
        ("/v2/defaultSupportedIdps", .providers), ("/v2/projects/{project}/inboundSamlConfigs", .saml),
        ("/v2/accounts/mfaEnrollment:", .secondFactors), ("/v2/accounts/mfaSignIn:", .secondFactors),
        ("/v2/accounts/passkey", .passkeys),
    ]

    /// Google's, which SDKs put in front of the path when they talk to an emulator.
    private static let hosts = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"]
    private static let emulator = "/emulator/"
    /// Where a project's issuer says what it is. Source: OpenID Connect Discovery 1.0 section 4.
    private static let discovery = "/.well-known/openid-configuration"

    /// Whether a path belongs to this API, known there or not.
    static func claims(_ path: String, inDevelopment: Bool) -> Bool {
        table[path] != nil || path.hasSuffix(discovery) || (["/v1/", "/v2/", v3] + hosts.map { $0 + "/" }).contains { path.hasPrefix($0) }
            || inDevelopment && path.hasPrefix(emulator + "v1/")
    }

    /// Nil for a path that leads nowhere.
    init?(path: String) {
        let host = Self.hosts.first { path.hasPrefix($0 + "/") } ?? ""
        let bare = String(path.dropFirst(host.count))
        guard host.isEmpty || !bare.hasPrefix(Self.emulator) else { return nil }
        guard let (template, project) = Self.template(of: bare) else { return nil }
        if let verbs = Self.table[template] {
            self.init(project: project, verbs: verbs)
        } else if let family = Self.families.first(where: { template.hasPrefix($0.start) }) {
            let all: [HTTPRequest.Method] = [.get, .post, .patch, .delete]
            self.init(project: project, verbs: Dictionary(uniqueKeysWithValues: all.map { ($0, .notOffered(family.reason)) }))
        } else {
            return nil
        }
    }

    /// The path with `{project}` in place of the id after `projects/`; nil where that is no id.
    private static func template(of path: String) -> (String, ProjectID?)? {
        if path.hasSuffix(discovery), let project = ProjectID(step: String(path.dropFirst().dropLast(discovery.count))) {
            return ("/{project}\(discovery)", project)
        }
        guard let step = path.firstRange(of: "/projects/") else { return (path, nil) }
        let rest = path[step.upperBound...]
        // `projects/shop:createSessionCookie`: the method follows the id as it follows `accounts`.
        let id = rest.prefix { $0 != "/" && $0 != ":" }
        guard let project = ProjectID(step: String(id)) else { return nil }
        return (path[..<step.upperBound] + "{project}" + rest.dropFirst(id.count), project)
    }
}

/// Why a known method of Google's is not to be had, in a sentence each.
enum NotOffered: String, Sendable, CaseIterable {
    case providers = "Sign-in with other providers is not offered by this server yet"
    case secondFactors = "Enrolling and asking for second factors is not offered by this server yet"
    case phone = "Sign-in by phone is not offered by this server"
    case tenants = "Tenants are not offered by this server: configure a project for each"
    case saml = "SAML is not offered by this server"
    case passkeys = "Passkeys are not offered by this server"
    case signOutByServer = "Sessions end by accounts:update with validSince, not by signOutUser"
}

extension ProjectID {
    /// An id that can be written in a path without escapes, so that there is nothing to decode.
    init?(step: String) {
        let marks = "0123456789-_.".unicodeScalars
        guard step.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || marks.contains($0)) }),
            (1...128).contains(step.utf8.count)
        else { return nil }
        self.init(rawValue: step)
    }
}
