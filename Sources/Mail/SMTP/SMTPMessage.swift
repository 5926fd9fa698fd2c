internal import Accounts

/// A message with its envelope, ready to be sent. An address cannot end or change a command (M6).
struct SMTPMessage: Sendable {
    let sender: EmailAddress
    let recipient: EmailAddress
    /// The message with CRLF line ends and doubled dots, without the line that ends it.
    let lines: [UInt8]
    /// The size before dots were doubled.
    let byteCount: Int
    let needsInternationalAddresses: Bool

    /// - Parameter bytes: the message. Each CR or LF that stands alone becomes a line end, so that
    ///   no server can read an end of the message where there is none.
    init(from sender: EmailAddress, to recipient: EmailAddress, _ bytes: [UInt8]) {
        self.sender = sender
        self.recipient = recipient
        lines = Self.transparent(bytes)
        byteCount = bytes.count
        needsInternationalAddresses = sender.isInternational || recipient.isInternational || bytes.contains { $0 > 127 }
    }

    /// Source: RFC 5321 section 4.5.2.
    private static func transparent(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 64 + 2)
        var (isAtStart, isAfterReturn) = (true, false)
        for byte in bytes {
            if byte == 10 || isAfterReturn {
                result += [13, 10]
                isAtStart = true
            }
            if byte == 10 && isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 13
            guard byte != 10, byte != 13 else { continue }
            if isAtStart && byte == 46 { result.append(46) }
            result.append(byte)
            isAtStart = false
        }
        if isAfterReturn || !isAtStart { result += [13, 10] }
        return result
    }
}

extension SMTPOffers {
    /// The reason why a message cannot be handed to this server; nil if it can.
    func objection(to message: SMTPMessage) -> String? {
        if message.needsInternationalAddresses, !internationalAddresses {
            return "the server does not offer SMTPUTF8, which the address needs"
        }
        if let maxMessageBytes, message.byteCount > maxMessageBytes {
            return "the message has \(message.byteCount) bytes, and the server accepts \(maxMessageBytes)"
        }
        return nil
    }
}
