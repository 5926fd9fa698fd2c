internal import Accounts
internal import HTTPTypes

/// What a path asks for, and of which project where it says so. Paths are exact and case-sensitive.
struct Endpoint: Sendable, Hashable {
    enum Method: Sendable, Hashable {
        case call(Call.Method)
        /// Only in development.
        case emulator(EmulatorMethod)
        case jwks
    }

    typealias Verbs = [HTTPRequest.Method: Method]

    let project: ProjectID?
    private let verbs: Verbs

    subscript(verb: HTTPRequest.Method) -> Method? { verbs[verb == .head ? .get : verb] }

    /// For the `Allow` header.
    var allowed: String { verbs.keys.map(\.rawValue).sorted().joined(separator: ", ") }
}

extension Endpoint {
    private static let accounts: [String: Verbs] = [
        "accounts:signUp": [.post: .call(.signUp)],
        "accounts:signInWithPassword": [.post: .call(.signInWithPassword)],
        "accounts:signInWithEmailLink": [.post: .call(.signInWithEmailLink)],
        "accounts:sendOobCode": [.post: .call(.sendOobCode)],
        "accounts:resetPassword": [.post: .call(.resetPassword)],
        "accounts:update": [.post: .call(.update)],
        "accounts:lookup": [.post: .call(.lookup)],
        "accounts:delete": [.post: .call(.delete)],
        "accounts:createAuthUri": [.post: .call(.createAuthUri)],
    ]
    private static let ofAnyone = accounts.merging(["projects": [.get: .call(.getProjectConfig)], "token": [.post: .call(.token)]]) { $1 }
    private static let ofProjects = accounts.merging(["accounts": [.post: .call(.signUp)]]) { $1 }
    private static let ofEmulator: [String: Verbs] = [
        "oobCodes": [.get: .emulator(.oobCodes)],
        "accounts": [.delete: .emulator(.deleteAccounts)],
        "config": [.get: .emulator(.getConfig), .patch: .emulator(.patchConfig)],
    ]

    /// The older spelling, by which Apple's SDK still calls.
    private static let relyingParty: [String: Verbs] = [
        "signupNewUser": [.post: .call(.signUp)],
        "verifyPassword": [.post: .call(.signInWithPassword)],
        "emailLinkSignin": [.post: .call(.signInWithEmailLink)],
        "getOobConfirmationCode": [.post: .call(.sendOobCode)],
        "resetPassword": [.post: .call(.resetPassword)],
        "setAccountInfo": [.post: .call(.update)],
        "getAccountInfo": [.post: .call(.lookup)],
        "deleteAccount": [.post: .call(.delete)],
        "createAuthUri": [.post: .call(.createAuthUri)],
        "getProjectConfig": [.get: .call(.getProjectConfig)],
    ]
    private static let v3 = "/identitytoolkit/v3/relyingparty/"

    private static let jwks = "/.well-known/jwks.json"
    private static let emulator = "/emulator"
    /// Google's, which SDKs put in front of the path when they talk to an emulator.
    private static let hosts = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"]

    /// Whether a path belongs to this API, known there or not.
    static func claims(_ path: String, inDevelopment: Bool) -> Bool {
        path == jwks || path.hasPrefix("/v1/") || path.hasPrefix(v3) || hosts.contains { path.hasPrefix($0 + "/") }
            || inDevelopment && path.hasPrefix(emulator + "/v1/")
    }

    /// Nil for a path that leads nowhere.
    init?(path: String) {
        guard path != Self.jwks else {
            self.init(project: nil, verbs: [.get: .jwks])
            return
        }
        let prefix = (Self.hosts + [Self.emulator]).first { path.hasPrefix($0 + "/") } ?? ""
        if path.dropFirst(prefix.count).hasPrefix(Self.v3), prefix != Self.emulator,
            let verbs = Self.relyingParty[String(path.dropFirst(prefix.count + Self.v3.count))]
        {
            self.init(project: nil, verbs: verbs)
            return
        }
        let steps = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if steps.count == 3, steps[..<2] == ["", "v1"], prefix != Self.emulator, let verbs = Self.ofAnyone[steps[2]] {
            self.init(project: nil, verbs: verbs)
        } else if steps.count == 5, steps[..<3] == ["", "v1", "projects"], let project = ProjectID(step: steps[3]),
            let verbs = (prefix == Self.emulator ? Self.ofEmulator : Self.ofProjects)[steps[4]]
        {
            self.init(project: project, verbs: verbs)
        } else {
            return nil
        }
    }
}

extension ProjectID {
    /// An id that can be written in a path without escapes, so that there is nothing to decode.
    init?(step: String) {
        let marks = "0123456789-_.:".unicodeScalars
        guard step.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || marks.contains($0)) }),
            (1...128).contains(step.utf8.count)
        else { return nil }
        self.init(rawValue: step)
    }
}
