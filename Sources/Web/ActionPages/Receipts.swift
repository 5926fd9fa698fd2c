internal import Accounts
internal import EmailActions
internal import Foundation

/// What the page after the deed knows. It travels sealed in the address, so that the code no longer stands there (P12) and nobody
/// can make such a page say something else.
struct Receipt: Sendable, Codable, Equatable {
    enum Kind: String, Sendable, Codable {
        case done
        /// A fresh link was asked for.
        case sentLink
        /// A password reset was asked for, after an undoing.
        case sentReset
    }

    var kind: Kind
    let action: Action
    let code: String
    let apiKey: String
    let language: String?
    /// Of a link whose authority stores none that it would tell.
    var continueURL: String?
    /// The address that it was about, and the one changed to.
    var account, newAccount: String?
    /// The second factor that went: its row is gone by now.
    var factor: String?
    var issued: Timestamp

    static let lifetime = Duration.minutes(30)
}

/// Seals receipts and opens them again.
struct Receipts: Sendable {
    let secrets: Secrets
    let now: Now

    /// - Parameter done: what was done, if the page shall say so.
    func seal(_ kind: Receipt.Kind, _ link: ActionLink, after done: PendingAction? = nil) throws(ActionError) -> String {
        var receipt = Receipt(
            kind: kind, action: link.action, code: link.code.text, apiKey: link.apiKey, language: link.language, issued: now())
        if done?.project.upstream != nil { receipt.continueURL = link.continueURL }
        receipt.account = done?.email
        receipt.newAccount = done?.action == .verifyAndChangeEmail ? done?.newEmail : nil
        receipt.factor = done?.factorName
        return try seal(receipt)
    }

    /// The same receipt for the page of the next step.
    func seal(_ kind: Receipt.Kind, after receipt: Receipt) throws(ActionError) -> String {
        var next = receipt
        next.kind = kind
        next.issued = now()
        return try seal(next)
    }

    private func seal(_ receipt: Receipt) throws(ActionError) -> String {
        do {
            return Base64URL.encode(try secrets.seal(Array(try JSONEncoder().encode(receipt)), for: .receipt))
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    /// Nil for anything that is not ours, or too old.
    func open(_ text: String?) -> Receipt? {
        guard let sealed = text.flatMap(Base64URL.decode), let plain = try? secrets.open(sealed, for: .receipt),
            let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(plain)), now() < receipt.issued + Receipt.lifetime
        else { return nil }
        return receipt
    }
}

extension Receipt {
    /// The link that it is about, with its code still sealed from view.
    var link: ActionLink? {
        OobCode(ofAnyAuthority: code).map {
            ActionLink(action: action, code: $0, apiKey: apiKey, continueURL: continueURL, language: language)
        }
    }
}
