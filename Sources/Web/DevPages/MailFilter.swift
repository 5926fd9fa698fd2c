public import Accounts

/// The mails of the inbox that a request asks for.
public struct MailFilter: Sendable, Hashable {
    /// Nil for any.
    public let recipient: EmailAddress?
    /// Nil for any.
    public let kind: LetterKind?

    static let all = MailFilter()

    public init(recipient: EmailAddress? = nil, kind: LetterKind? = nil) { (self.recipient, self.kind) = (recipient, kind) }

    /// Reads `to` and `kind` of a query. Refuses `INVALID_EMAIL` and, with the known kinds,
    /// `INVALID_ARGUMENT`.
    init(_ request: Request) throws(ActionError) { try self.init(to: request["to"], kind: request["kind"]) }

    /// - Parameters:
    ///   - to: empty, as nil, for any.
    ///   - kind: likewise.
    init(to: String?, kind: String?) throws(ActionError) {
        func named(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }
        recipient = try named(to).map { text throws(ActionError) in
            guard let address = EmailAddress(text) else { throw .refused(.invalidEmail) }
            return address
        }
        self.kind = try named(kind).map { text throws(ActionError) in
            guard let kind = LetterKind(rawValue: text) else {
                let known = LetterKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .refused(.invalidArgument, detail: "/kind must be one of \(known)")
            }
            return kind
        }
    }
}
