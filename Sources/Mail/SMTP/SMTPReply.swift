/// A complete answer of an SMTP server. Source: RFC 5321 section 4.2.
struct SMTPReply: Sendable, Hashable {
    let code: Int
    /// The text of each line, without codes and line ends.
    let lines: [String]

    /// The first digit of the code: 2 for success, 4 for a failure that may pass, 5 for one that
    /// will not.
    var severity: Int { code / 100 }

    /// The whole answer as one line for people.
    var oneLine: String { AnswerText.kept(([String(code)] + lines).joined(separator: " ")) }

    /// Whether the server does not take mail for others from this client or sender. There is no
    /// status for it, so this looks for the words of Postfix, Exim, Sendmail, Exchange and qmail.
    ///
    /// Exchange Online uses such words with 5.4.1 for a mailbox that does not exist.
    var deniesRelaying: Bool {
        guard !hasStatus("5.4.1") else { return false }
        return lines.contains { line in
            let words = line.lowercased()
            return Self.denials.contains { words.contains($0) }
        }
    }

    private static let denials = [
        "relay denied", "relaying denied", "relay access denied", "relay not permitted", "relaying not permitted", "relay not allowed",
        "relaying not allowed", "unable to relay", "client host rejected", "sender address rejected: not",
        "recipient address rejected: access denied", "rcpthosts",
    ]

    /// Whether a mail provider does not send for a sender until the operator has verified its
    /// domain or left a sandbox. There is no status for it, so this looks for the words of Amazon
    /// SES, Mailgun, Postmark, Resend, SendGrid and SMTP2GO.
    var refusesUnverifiedSender: Bool { !isAboutMailbox && has(Self.unverified) }

    /// Whether a mail provider sends nothing for the account now: it is suspended, or its rate or
    /// credit is used up.
    var refusesAccount: Bool { !isAboutMailbox && has(Self.accountRefusals) }

    private static let unverified = [
        "address is not verified", "domain is not verified", "domain not verified", "verified sender identity", "sender signature",
        "sandbox subdomains", "testing emails", "pending approval",
    ]
    private static let accountRefusals = [
        "is not allowed to send:", "sending paused", "account is suspended", "account has been suspended", "account suspended",
        "account is disabled", "account disabled", "credits exceeded", "sending rate exceeded", "throttling failure",
    ]

    /// Whether the enhanced status is about the recipient's mailbox, so that an account in the
    /// words is the recipient's. 5.1.7 and 5.1.8 are about the sender. Source: RFC 3463 section
    /// 3.2.
    private var isAboutMailbox: Bool {
        lines.contains { ($0.hasPrefix("5.1.") || $0.hasPrefix("5.2.")) && !$0.hasPrefix("5.1.7") && !$0.hasPrefix("5.1.8") }
    }

    private func has(_ words: [String]) -> Bool {
        let text = lines.joined(separator: " ").lowercased()
        return words.contains { text.contains($0) }
    }

    /// Whether the enhanced status is about security or policy, not about the mailbox.
    var isAboutPolicy: Bool { lines.contains { $0.hasPrefix("5.7.") } }

    /// Whether the answer has one of these enhanced status codes. Source: RFC 3463.
    func hasStatus(_ codes: String...) -> Bool {
        codes.contains { code in lines.contains { $0 == code || $0.hasPrefix(code + " ") } }
    }
}

/// Reads answers from the bytes of a server. It keeps no more than `maxLines` lines of
/// `maxLineBytes`.
struct SMTPReplyReader: Sendable {
    struct Malformed: Error, Hashable {
        /// A constant text.
        let cause: String
    }

    /// Four times what RFC 5321 section 4.5.3.1.5 allows.
    static let maxLineBytes = 2_048
    static let maxLines = 100

    private var buffer: [UInt8] = []
    private var code: Int?
    private var lines: [String] = []

    /// Whether nothing is left that belongs to no answer yet.
    var isEmpty: Bool { buffer.isEmpty && lines.isEmpty }

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    /// Removes the next complete answer; nil if it has not arrived as a whole.
    mutating func next() throws(Malformed) -> SMTPReply? {
        while let end = buffer.firstIndex(of: 10) {
            guard end <= Self.maxLineBytes else { break }
            var line = buffer[..<end]
            if line.last == 13 { line.removeLast() }
            let isLast = try read(line)
            buffer.removeSubrange(...end)
            guard isLast, let code else { continue }
            defer { (self.code, lines) = (nil, []) }
            return SMTPReply(code: code, lines: lines)
        }
        guard buffer.count <= Self.maxLineBytes else { throw Malformed(cause: "its answer is too long") }
        return nil
    }

    /// Reads a line; returns whether it is the last of its answer.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(Malformed) -> Bool {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }), let first = digits.first, (50...53).contains(first) else {
            throw Malformed(cause: "its answer is not SMTP")
        }
        let found = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        let separator = line.dropFirst(3).first ?? 32
        guard separator == 32 || separator == 45 else { throw Malformed(cause: "its answer is not SMTP") }
        guard found == code ?? found else { throw Malformed(cause: "its answer has several codes") }
        guard lines.count < Self.maxLines else { throw Malformed(cause: "its answer is too long") }
        code = found
        lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
        return separator == 32
    }
}
