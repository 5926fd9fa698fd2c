import Accounts

/// A mail as the bytes of a message: a header, and the text and the HTML as alternatives. The bytes
/// are the same for each attempt to send it (M3). Source: RFC 5322, RFC 2045, RFC 2046.
///
/// Lines end in CRLF. They have at most 76 characters, except for an address or a message id that
/// is longer. The transport escapes dots, although no line begins with one.
public struct MIMEMessage: Sendable {
    public let bytes: [UInt8]
    /// Whether only a relay that offers SMTPUTF8 can take the message, because an address has
    /// characters outside of ASCII before its `@` (M8).
    public let needsSMTPUTF8: Bool

    public init(_ mail: OutgoingMail) {
        let replyTo = mail.replyTo.map { AddressSpec($0) }
        let sender = AddressSpec(mail.sender.address)
        let recipient = AddressSpec(mail.letter.recipient)
        needsSMTPUTF8 = [sender, recipient, replyTo, AddressSpec(mail.envelopeFrom)].contains { $0?.needsSMTPUTF8 == true }

        // Quoted-printable leaves no `=_` of the text.
        let boundary = "=_\(mail.id.asciiTag(ofAtMost: 40))"
        var fields = [FoldedField("From", sender, named: mail.sender.name.map { HeaderText($0) }), FoldedField("To", recipient)]
        if let replyTo { fields.append(FoldedField("Reply-To", replyTo)) }
        fields += [
            FoldedField("Subject", text: HeaderText(mail.content.subject)),
            FoldedField("Date", verbatim: HeaderText(mail.letter.createdAt.mailDate)),
            FoldedField("Message-ID", verbatim: Self.messageID(mail.id, at: sender)),
            FoldedField("Content-Language", verbatim: HeaderText(mail.letter.language.asciiTag(ofAtMost: 35))),
            // Automatic replies, such as those of absent people, would reach the sender.
            // Reports of mails that cannot be delivered are wanted.
            // Source: RFC 3834, 5; [MS-OXCMAIL], 2.1.3.2.20
            FoldedField("Auto-Submitted", verbatim: HeaderText("auto-generated")),
            FoldedField("X-Auto-Response-Suppress", verbatim: HeaderText("OOF, AutoReply, DR, RN, NRN")),
        ]
        fields += TrackingFields.all
        fields += [
            FoldedField("MIME-Version", verbatim: HeaderText("1.0")),
            FoldedField("Content-Type", verbatim: HeaderText("multipart/alternative; boundary=\"\(boundary)\"")),
        ]
        var bytes = fields.flatMap(\.bytes)
        for (type, body) in [("plain", mail.content.text), ("html", mail.content.html)] {
            bytes += "\r\n--\(boundary)\r\nContent-Type: text/\(type); charset=utf-8\r\n".utf8
            bytes += "Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8
            bytes += QuotedPrintable(body).bytes
        }
        bytes += "\r\n--\(boundary)--\r\n".utf8
        self.bytes = bytes
    }

    /// `<id@domain>`; a character that a message id cannot contain is replaced by its number.
    private static func messageID(_ id: String, at sender: AddressSpec) -> HeaderText {
        let local = id.unicodeScalars.map { $0.isTagCharacter || $0 == "_" ? String($0) : "=\($0.value)=" }
        return HeaderText("<\(local.joined().prefix(200))@\(sender.domain)>")
    }
}

extension String {
    /// The first ASCII letters, digits and hyphens of the text.
    fileprivate func asciiTag(ofAtMost maxLength: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.lazy.filter(\.isTagCharacter).prefix(maxLength)))
    }
}

extension Unicode.Scalar {
    fileprivate var isTagCharacter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }
}
