internal import Accounts
internal import Base
internal import Foundation

/// The content of the page after an action. A receipt is sealed into the page's URL, so that the
/// URL no longer contains the code (P12) and cannot be changed to show something else.
struct Receipt: Sendable, Codable, Equatable {
    enum Kind: String, Sendable, Codable {
        case done
        /// A new link was sent.
        case sentLink
        /// A password reset was sent after an undo.
        case sentReset
    }

    var kind: Kind
    let action: Action
    let code: String
    let apiKey: String
    var language: String?
    /// Only for upstream projects; Onward stores it with the code.
    var continueURL: String?
    /// The tenant of the link.
    var tenant: String?
    /// The account's address, and the address that it was changed to.
    var account, newAccount: String?
    /// The name of the second factor that was removed.
    var factor: String?
    /// Whether no password reset is offered after an undo, because it was refused, or because the
    /// account has another address than the one that the undo was mailed to.
    var offersNoReset: Bool?
    /// The choice of the user in place of the action.
    var choice: ActionChoice?
    /// Whether the action accepted an admin's invitation.
    var welcomes: Bool?
    /// The effects of a change of address.
    var addressChange: AddressChangeFacts?
    /// Whether the account never had a password.
    var choosesFirstPassword: Bool?
    /// The code that lets the user choose a new password.
    var passwordReset: String?
    var issued: Timestamp

    static let lifetime = Duration.minutes(30)
}

/// Seals receipts and opens them again.
struct Receipts: Sendable {
    let secrets: Secrets
    let now: Now

    /// - Parameter outcome: the result of the action, if the page shows it.
    func seal(_ kind: Receipt.Kind, _ link: ActionLink, after outcome: Outcome? = nil) throws(ActionError) -> String {
        let done = outcome?.done
        var receipt = Receipt(
            kind: kind, action: link.action, code: link.code.text, apiKey: link.apiKey, language: link.language, issued: now())
        receipt.tenant = link.tenant
        receipt.choice = outcome?.choice
        receipt.welcomes = done?.passwordFacts?.acceptsInvitation
        receipt.addressChange = done?.addressChange
        receipt.choosesFirstPassword = done?.formerPassword == .never ? true : nil
        receipt.passwordReset = outcome?.passwordReset?.code.text
        // A longer URL is not approved, and might not fit into this one.
        if done?.project.upstream != nil, let url = link.continueURL, url.utf8.count <= ApprovedSettings.longestContinueURL {
            receipt.continueURL = url
        }
        if let done, done.action.isUndo, let email = outcome?.email, EmailAddress(email) != done.email.flatMap({ EmailAddress($0) }) {
            receipt.offersNoReset = true
        }
        receipt.account = done?.email
        receipt.newAccount = done?.action.setsNewAddress == true ? done?.newEmail : nil
        receipt.factor = done?.factorName
        return try seal(receipt)
    }

    /// Seals a receipt for the page of the next step.
    /// - Parameter language: the language that the user has chosen since.
    func seal(_ kind: Receipt.Kind, after receipt: Receipt, in language: String?) throws(ActionError) -> String {
        var next = receipt
        next.kind = kind
        next.language = language
        next.issued = now()
        return try seal(next)
    }

    private func seal(_ receipt: Receipt) throws(ActionError) -> String {
        do {
            return Base64URL.encode(secrets.seal(Array(try JSONEncoder().encode(receipt)), for: .receipt))
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    /// Nil for a text that is not a receipt, was changed or is too old.
    func open(_ text: String?) -> Receipt? { unsealed(text).flatMap { isCurrent($0) ? $0 : nil } }

    /// Whether the text is a receipt that is too old.
    func isTooOld(_ text: String?) -> Bool { unsealed(text).map { !isCurrent($0) } ?? false }

    private func isCurrent(_ receipt: Receipt) -> Bool { now() < receipt.issued + Receipt.lifetime }

    private func unsealed(_ text: String?) -> Receipt? {
        guard let sealed = text.flatMap(Base64URL.decode), let plain = try? secrets.open(sealed, for: .receipt) else { return nil }
        return try? JSONDecoder().decode(Receipt.self, from: Data(plain))
    }
}

extension Receipt {
    /// The link to the choice of a new password.
    func resetLink(in language: String) -> ActionLink? {
        passwordReset.flatMap { OobCode(ofAnyAuthority: $0) }.map {
            ActionLink(action: .resetPassword, code: $0, apiKey: apiKey, continueURL: nil, language: language)
        }
    }

    /// The link that was applied.
    var link: ActionLink? {
        OobCode(ofAnyAuthority: code).map {
            ActionLink(action: action, code: $0, apiKey: apiKey, continueURL: continueURL, language: language, tenant: tenant)
        }
    }
}
