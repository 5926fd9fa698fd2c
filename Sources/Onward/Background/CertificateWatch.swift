import Accounts
import EmailActions
import HTTPServer
import Logging

/// Keeps a server's TLS in step with the files of its certificates: bad ones change nothing but the log (K2, K3).
actor Certificates {
    private var files: [CertificateFiles]
    private let now: Now
    private let logger: Logger
    private(set) var context: TLSContext
    private var seen: [CertificateFiles.Stamp?]
    private var rotated: Int

    /// How old a renewed certificate gets before it is shown.
    private static let interval = Duration.seconds(2)
    /// Who renews certificates does so long before.
    private static let alarming = Duration.days(14)

    /// Throws what is wrong with a file.
    init(_ files: [CertificateFiles], now: @escaping Now, logger: Logger) throws {
        (self.files, self.now, self.logger) = (files, now, logger)
        rotated = now().unixSeconds
        seen = files.flatMap(\.stamps)
        context = try Self.read(files, at: rotated, tickets: TicketKeys())
    }

    /// Until its task is cancelled.
    func run(for server: HTTPServer) async {
        warn()
        while (try? await Task.sleep(for: Self.interval)) != nil { await look(for: server) }
    }

    /// Shows what these files hold from now on. Throws what is wrong with one of them, and then everything stays as it was.
    func adopt(_ files: [CertificateFiles], for server: HTTPServer) async throws {
        context = try Self.read(files, at: now().unixSeconds, tickets: context.tickets)
        (self.files, seen) = (files, files.flatMap(\.stamps))
        logger.notice("certificates read", metadata: ["names": .array(names)])
        warn()
        await server.use(context)
    }

    /// Reads the files again if they are others than the last time, and changes the ticket keys when it is time.
    func look(for server: HTTPServer) async {
        let (stamps, seconds) = (files.flatMap(\.stamps), now().unixSeconds)
        let isTime = seconds - rotated >= TicketKeys.period.components.seconds
        guard isTime || stamps != seen else { return }
        let tickets = isTime ? context.tickets.rotated() : context.tickets
        do {
            context = try Self.read(files, at: seconds, tickets: tickets)
            if stamps != seen { logger.notice("certificates read", metadata: ["names": .array(names)]) }
        } catch {
            logger.error("the certificates stay as they were: their files cannot be used", metadata: ["cause": "\(error)"])
            context = (try? TLSContext(context.identities, tickets: tickets)) ?? context
        }
        if isTime { rotated = seconds }
        seen = stamps
        warn()
        await server.use(context)
    }

    /// For how long each certificate in use is still valid, by its file; negative when it no longer is.
    func remaining(at moment: Timestamp) -> [(file: String, span: Duration)] {
        zip(files, context.identities).map { ("\($0.certificate)", .seconds($1.endsAt - moment.unixSeconds)) }
    }

    private var names: [Logger.MetadataValue] { context.identities.flatMap(\.names).sorted().map { "\($0)" } }

    private func warn() {
        for (file, span) in remaining(at: now()) where span < Self.alarming {
            logger.warning("a certificate ends soon", metadata: ["file": "\(file)", "days": "\(span.components.seconds / 86_400)"])
        }
        for (identity, files) in zip(context.identities, files) where identity.leavesStapleOut {
            logger.warning("an OCSP response does not say now that the certificate is good", metadata: ["file": "\(files.staple)"])
        }
    }

    private static func read(_ files: [CertificateFiles], at seconds: Int, tickets: TicketKeys) throws -> TLSContext {
        try TLSContext(try files.map { try $0.identity(at: seconds) }, tickets: tickets)
    }
}

extension Timestamp {
    /// As certificates count.
    var unixSeconds: Int { Int(milliseconds / 1_000) }
}
