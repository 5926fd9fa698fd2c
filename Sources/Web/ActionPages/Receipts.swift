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

    let kind: Kind
    let action: Action
    let code: String
    let apiKey: String
    let language: String?
    /// The second factor that went: its row is gone by now.
    let factor: String?
    let issued: Timestamp

    static let lifetime = Duration.minutes(30)
}

/// Seals receipts and opens them again.
struct Receipts: Sendable {
    let secrets: Secrets
    let now: Now

    func seal(_ kind: Receipt.Kind, _ link: ActionLink, factor: String? = nil) throws(ActionError) -> String {
        let receipt = Receipt(
            kind: kind, action: link.action, code: link.code.text, apiKey: link.apiKey, language: link.language, factor: factor,
            issued: now())
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
        OobCode(code).map { ActionLink(action: action, code: $0, apiKey: apiKey, language: language) }
    }
}
