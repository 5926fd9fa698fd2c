package import Accounts
import EmailActions

/// A mail as the bytes of a message: a header, and the text and the HTML as alternatives. The bytes
/// are the same for each attempt to send it (M3). Source: RFC 5322, RFC 2045, RFC 2046.
///
/// Lines end in CRLF. They have at most 76 characters, except for an address or a message id that is
/// longer. The transport escapes dots, although no line begins with one.
package struct MIMEMessage: Sendable {
    package let bytes: [UInt8]
    /// Whether only a relay that offers SMTPUTF8 can take the message, because an address has
    /// characters outside of ASCII before its `@` (M8).
    package let needsSMTPUTF8: Bool

    package init(_ mail: OutgoingMail) {
        let sender = AddressSpec(mail.sender.address)
        let recipient = AddressSpec(mail.recipient)
        let replyTo = mail.replyTo.map { AddressSpec($0) }
        let addresses = [sender, recipient, replyTo, AddressSpec(mail.envelopeFrom)]
        needsSMTPUTF8 = addresses.contains { $0?.needsSMTPUTF8 == true }

        // Of the text, quoted-printable leaves no `=_`.
        let boundary = "=_" + String(mail.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40))
        let fields =
            [
                FoldedField("From", mail.sender.name.map { HeaderText($0) }, sender),
                FoldedField("To", recipient),
            ] + (replyTo.map { [FoldedField("Reply-To", $0)] } ?? []) + [
                FoldedField("Subject", text: HeaderText(mail.content.subject)),
                FoldedField("Date", verbatim: HeaderText(mail.createdAt.mailDate)),
                FoldedField("Message-ID", verbatim: Self.messageID(mail.id, at: sender)),
                FoldedField("Content-Language", verbatim: HeaderText(mail.language.filter { $0.isLetter || $0.isNumber || $0 == "-" })),
                // Automatic replies to it, such as those of absent people, would reach the sender.
                // Source: RFC 3834, 5; [MS-OXCMAIL] 2.2.3.2.14
                FoldedField("Auto-Submitted", verbatim: HeaderText("auto-generated")),
                FoldedField("X-Auto-Response-Suppress", verbatim: HeaderText("All")),
            ] + TrackingFields.all + [
                FoldedField("MIME-Version", verbatim: HeaderText("1.0")),
                FoldedField("Content-Type", verbatim: HeaderText("multipart/alternative; boundary=\"\(boundary)\"")),
            ]

        var bytes = fields.reduce(into: [UInt8]()) { $0 += $1.bytes }
        for (type, body) in [("plain", mail.content.text), ("html", mail.content.html)] {
            bytes += """
                \r\n--\(boundary)\r\nContent-Type: text/\(type); charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n
                """.utf8
            bytes += QuotedPrintable(body).bytes
        }
        bytes += "\r\n--\(boundary)--\r\n".utf8
        self.bytes = bytes
    }

    /// `<id@domain>`; a character that a message id cannot contain is replaced by its number.
    private static func messageID(_ id: String, at sender: AddressSpec) -> HeaderText {
        let local = id.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(scalar)
            default: "=\(scalar.value)="
            }
        }
        return HeaderText("<\(local.joined())@\(sender.domain)>")
    }
}
