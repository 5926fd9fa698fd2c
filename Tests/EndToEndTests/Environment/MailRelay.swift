import Foundation
import Testing
import World

/// A running aiosmtpd, which prints each mail that it accepts.
struct MailRelay: Sendable {
    struct Mail: Sendable {
        let sender, recipient, messageID: String
        /// The subject, if it has no encoded words.
        let subject: String
        /// The first link of the text.
        let link: String?
    }

    let program: Program
    let port: String

    /// - Parameter answer: the answer to every recipient; nil if mails are taken.
    init(refusing answer: String? = nil) async throws {
        let options = try JSONEncoder().encode(answer.map { ["refuse": $0] } ?? [:])
        program = try Program(OtherServers.python, [OtherServers.mailRelay, String(decoding: options, as: UTF8.self)])
        port = try await program.first(#/^listening (\d+)$/#)
    }

    /// The next mail that it accepts and that is not one of these: on a busy machine a mail may
    /// arrive twice.
    func next(besides known: [Mail] = []) async throws -> Mail {
        let ids = Set(known.map(\.messageID))
        var mail = try await accepted()
        while ids.contains(mail.messageID) { mail = try await accepted() }
        return mail
    }

    private func accepted() async throws -> Mail {
        struct AcceptedMail: Decodable {
            let from: String
            let to: [String]
            let message: Data
        }
        let line = try JSONDecoder().decode(AcceptedMail.self, from: Data(try await program.first(#/^(\{.*\})$/#).utf8))
        let parts = String(decoding: line.message, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
        let id = try #require(parts[0].firstMatch(of: #/(?im)^Message-ID: *\r?\n? *(\S+)/#))
        let subject = parts[0].firstMatch(of: #/(?im)^Subject: *(.*)/#)
        // The first part of the body is the text, quoted-printable.
        let link = parts[1].replacing("=\r\n", with: "").replacing("=3D", with: "=").firstMatch(of: #/https?:\/\/\S+/#)
        return Mail(
            sender: line.from, recipient: try #require(line.to.first), messageID: String(id.1), subject: String(subject?.1 ?? ""),
            link: link.map { String($0.0) })
    }
}
