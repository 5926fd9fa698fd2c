package import Foundation

/// A mail that was not sent but kept, to be looked into.
package struct DevMail: Sendable, Hashable {
    /// Its place is `/inbox/<id>`, its HTML `/inbox/<id>/html`.
    package var id: String
    /// The address in `To`.
    package var recipient: String
    /// Decoded.
    package var subject: String
    /// What it is about, e.g. `resetPassword`.
    package var kind: String
    /// When it would have left.
    package var sent: Date
    /// The part in plain text; not needed in the list.
    package var text: String
    /// Name and value, in order.
    package var headers: [Form.Field]
    /// The link in it, if it carries one.
    package var link: String?

    package init(
        id: String, recipient: String, subject: String, kind: String, sent: Date, text: String = "", headers: [Form.Field] = [],
        link: String? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.subject = subject
        self.kind = kind
        self.sent = sent
        self.text = text
        self.headers = headers
        self.link = link
    }
}
