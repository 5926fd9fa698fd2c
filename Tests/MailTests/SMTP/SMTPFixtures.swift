import Accounts
import Base
import Foundation
import Logging
import Network
import Synchronization
import World
@testable import Mail

extension OutgoingMail {
    /// A mail with a link, to one person.
    static func sample(id: String = "mail-1", to recipient: String = "ada@example.com", text: String = "Hello") -> OutgoingMail {
        var letter = Letter(
            .action(.resetPassword), to: EmailAddress(recipient)!, language: "en", createdAt: Timestamp(seconds: 1_700_000_000))
        letter.link = "https://auth.shop.example/__/auth/action?oobCode=secret"
        return OutgoingMail(
            id: id, project: ProjectID(rawValue: "shop"), letter,
            RenderedMail(subject: "Reset your password", text: text, html: "<p>\(text)</p>"),
            from: Mailbox(name: "Shop", address: EmailAddress("no-reply@shop.example")!), replyTo: nil,
            envelopeFrom: EmailAddress("bounces@shop.example")!)
    }
}

extension SMTPTransport {
    /// A plain message, so that these tests need no MIME.
    static let plain: Encode = { mail in
        Array("Message-ID: <\(mail.id)@shop.example>\r\nTo: <\(mail.letter.recipient)>\r\n\r\n\(mail.content.text)\r\n".utf8)
    }

    /// A transport to relays without TLS on this machine, with short limits.
    init(_ relays: ScriptedRelay..., clock: @escaping @Sendable () -> Uptime = { .now }, logger: Logger = .silent) throws {
        self.init(try relays.map { try .local($0.port) }, encode: Self.plain, uptime: clock, logger: logger)
    }
}

extension SMTPRelaySettings {
    static func local(
        _ port: UInt16, startTLS: StartTLS? = .never, credentials: SMTPCredentials? = nil, ratePerMinute: Int? = nil,
        maxConnections: Int = 4, _ change: (inout SMTPLimits) -> Void = { _ in }
    ) throws -> SMTPRelaySettings {
        var limits = SMTPLimits.patient
        change(&limits)
        return try SMTPRelaySettings(
            url: "smtp://127.0.0.1:\(port)", startTLS: startTLS, heloName: "onward.test", credentials: credentials,
            ratePerMinute: ratePerMinute, maxConnections: maxConnections, limits: limits)
    }
}

extension SMTPLimits {
    /// Limits for a busy machine. A fault that has to be waited for has shorter ones.
    static var patient: SMTPLimits {
        var limits = SMTPLimits()
        (limits.connect, limits.answer, limits.total) = (.patience, .patience, .patience)
        return limits
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Collects the lines of a log.
struct RecordingLog: LogHandler {
    let lines: Recorded
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    final class Recorded: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    static func make() -> (Logger, Recorded) {
        let lines = Recorded()
        return (Logger(label: "test") { _ in RecordingLog(lines: lines) }, lines)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.append("\(event.level): \(event.message) \(metadata.merging(event.metadata ?? [:]) { $1 })")
    }
}
