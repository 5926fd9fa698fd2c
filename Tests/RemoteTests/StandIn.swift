import Accounts
import Foundation
import Synchronization

/// A stand-in for Firebase's emulator, written by us from what is documented of it and was
/// observed (`Docs/FrontDoor.md`): it deletes the code of an address before it checks the change,
/// shows codes of deleted accounts, has neither a password policy nor expiry, and adds members to
/// its replies.
final class StandIn: Sendable {
    struct Account: Sendable, Equatable {
        var email: String
        var isVerified = false
        var password = "the old password"
        var hasFactor = true
    }

    struct Code: Sendable {
        let action: Action
        let account: String
        var tenant: String?
    }

    /// The failure of a request that applies a code.
    enum Fault: Sendable {
        /// The upstream is killed before it does anything, and its codes are gone when it is back.
        case killed
        /// The account is deleted just before.
        case accountDeleted
        /// Another client applies the code just before.
        case usedElsewhere
    }

    private struct State: Sendable {
        var accounts: [String: Account] = [:]
        var codes: [String: Code] = [:]
        var made = 0
        var bodies: [String] = []
        var fault: Fault?
    }

    private let state = Mutex(State())

    var ada: Account? { state.withLock { $0.accounts["ada"] } }
    var hasCodes: Bool { state.withLock { !$0.codes.isEmpty } }
    /// The bodies of all requests.
    var bodies: [String] { state.withLock { $0.bodies } }

    func account(_ id: String, _ email: String) { state.withLock { $0.accounts[id] = Account(email: email) } }

    /// Causes a fault at the next request that applies a code.
    func fail(by fault: Fault) { state.withLock { $0.fault = fault } }

    /// A code for the account `ada`, of the form of Firebase's.
    func issue(_ action: Action, tenant: String? = nil) -> OobCode {
        state.withLock { state in
            state.made += 1
            let text = "StandIn_codes-have-54-letters-of-base64url-like-th-" + String(1000 + state.made).suffix(3)
            let changed = [.recoverEmail].contains(action) ? "intruder@app.example" : "ada@app.example"
            state.accounts["ada"] = state.accounts["ada"] ?? Account(email: changed)
            state.codes[text] = Code(action: action, account: "ada", tenant: tenant)
            return OobCode(ofAnyAuthority: text)!
        }
    }

    /// Responds to a request; nil if its response is lost.
    func respond(_ path: String, _ body: [UInt8]) -> (Int, String)? {
        let members = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
        return state.withLock { state in
            state.bodies.append(String(decoding: body, as: UTF8.self))
            switch path {
            case "/v1/projects": return (200, #"{"projectId":"12345","authorizedDomains":["localhost"],"usesEmulator":true}"#)
            case "/v1/accounts:resetPassword":
                guard let password = members["newPassword"] as? String else { return Self.show(members, in: &state) }
                return Self.apply(members, in: &state) { Self.reset($0, to: password, members, in: &$1) }
            case "/v1/accounts:update": return Self.apply(members, in: &state) { Self.change($0, members, in: &$1) }
            case "/v1/accounts:sendOobCode":
                let isKnown = state.accounts.values.contains { $0.email == members["email"] as? String }
                return isKnown ? (200, Self.text(of: ["kind": "k", "email": members["email"] ?? ""])) : Self.refusal("EMAIL_NOT_FOUND")
            default: return (501, #"{"error":{"code":501,"message":"Not implemented","status":"NOT_IMPLEMENTED"}}"#)
            }
        }
    }

    private typealias Reply = (Int, String)

    private static func refusal(_ code: String) -> Reply { (400, #"{"error":{"code":400,"message":"\#(code)","errors":[]}}"#) }

    private static func code(_ members: [String: Any], in state: State) -> Code? {
        guard let code = (members["oobCode"] as? String).flatMap({ state.codes[$0] }), code.tenant == members["tenantId"] as? String else {
            return nil
        }
        return code
    }

    /// The account need not exist any more.
    private static func show(_ members: [String: Any], in state: inout State) -> Reply {
        guard let code = code(members, in: state) else { return refusal("INVALID_OOB_CODE") }
        var reply: [String: Any] = ["kind": "identitytoolkit#ResetPasswordResponse", "requestType": code.action.requestType, "later": [1]]
        if code.action != .signIn { reply["email"] = "ada@app.example" }
        switch code.action {
        case .verifyAndChangeEmail: reply["newEmail"] = "new@app.example"
        case .recoverEmail: reply["newEmail"] = "intruder@app.example"
        case .revertSecondFactorAddition: reply["mfaInfo"] = ["phoneInfo": "+*******0100", "mfaEnrollmentId": "1"]
        default: break
        }
        return (200, text(of: reply))
    }

    private static func apply(_ members: [String: Any], in state: inout State, _ effect: (Code, inout State) -> Reply) -> Reply? {
        defer { state.fault = nil }
        switch state.fault {
        case .killed:
            state.codes = [:]
            return nil
        case .accountDeleted: state.accounts["ada"] = nil
        case .usedElsewhere: (members["oobCode"] as? String).map { state.codes[$0] = nil }
        case nil: break
        }
        guard let code = code(members, in: state) else { return refusal("INVALID_OOB_CODE") }
        return effect(code, &state)
    }

    private static func reset(_ code: Code, to password: String, _ members: [String: Any], in state: inout State) -> Reply {
        guard code.action == .resetPassword else { return refusal("INVALID_OOB_CODE") }
        guard password.count >= 6 else { return refusal("WEAK_PASSWORD : Password should be at least 6 characters") }
        state.codes[members["oobCode"] as? String ?? ""] = nil
        guard state.accounts[code.account] != nil else { return refusal("INVALID_OOB_CODE") }
        state.accounts[code.account]?.password = password
        state.accounts[code.account]?.isVerified = true
        return (200, text(of: ["requestType": "PASSWORD_RESET", "email": "ada@app.example", "later": true]))
    }

    private static func change(_ code: Code, _ members: [String: Any], in state: inout State) -> Reply {
        state.codes[members["oobCode"] as? String ?? ""] = nil
        guard var account = state.accounts[code.account] else { return refusal("INVALID_OOB_CODE") }
        switch code.action {
        case .verifyEmail: account.isVerified = true
        case .verifyAndChangeEmail, .recoverEmail:
            let email = code.action == .recoverEmail ? "ada@app.example" : "new@app.example"
            guard !state.accounts.values.contains(where: { $0.email == email }) else { return refusal("EMAIL_EXISTS") }
            (account.email, account.isVerified) = (email, true)
        case .revertSecondFactorAddition: account.hasFactor = false
        case .resetPassword, .signIn: return refusal("INVALID_OOB_CODE")
        }
        state.accounts[code.account] = account
        return (200, text(of: ["kind": "k", "localId": code.account, "email": account.email, "passwordHash": "fake", "later": [:]]))
    }

    private static func text(of members: [String: Any]) -> String {
        (try? JSONSerialization.data(withJSONObject: members)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
