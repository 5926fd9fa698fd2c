import Accounts
import EmailActions
import HTTPServer
import Logging

/// Reloads the certificates of a server when their files change. If a file cannot be used, the
/// current certificates stay in use and the problem is logged (K2, K3).
actor CertificateWatch {
    private var files: [CertificateFiles]
    /// The hosts that the certificates should name.
    private var hosts: [String]
    private let now: Now
    private let logger: Logger
    private(set) var context: TLSContext
    private var lastStamps: [CertificateFiles.Stamp?]
    private var rotatedAt: Int

    /// The interval between two checks of the files.
    private static let interval = Duration.seconds(2)
    /// The remaining validity below which a warning is logged.
    private static let warningThreshold = Duration.days(14)

    /// Reads the files; throws a sentence that names the file that cannot be used.
    /// - Parameter hosts: a warning is logged for each that no certificate names.
    init(_ files: [CertificateFiles], naming hosts: [String] = [], now: @escaping Now, logger: Logger) throws {
        (self.files, self.hosts, self.now, self.logger) = (files, hosts, now, logger)
        rotatedAt = Int(now().seconds)
        lastStamps = files.flatMap(\.stamps)
        context = try Self.read(files, at: rotatedAt, tickets: TicketKeys())
    }

    /// Checks the files periodically until the task is cancelled.
    func run(for server: HTTPServer) async {
        warn()
        while (try? await Task.sleep(for: Self.interval)) != nil { await check(for: server) }
    }

    /// Uses other files from now on. Throws if one of them cannot be used; then nothing changes.
    func use(_ files: [CertificateFiles], naming hosts: [String] = [], for server: HTTPServer) async throws {
        context = try Self.read(files, at: Int(now().seconds), tickets: context.ticketKeys)
        (self.files, self.hosts, lastStamps) = (files, hosts, files.flatMap(\.stamps))
        logger.notice("certificates loaded", metadata: ["names": .array(names)])
        warn()
        await server.use(context)
    }

    /// Reads the files if they have changed, and rotates the ticket keys once per period.
    func check(for server: HTTPServer) async {
        let (stamps, seconds) = (files.flatMap(\.stamps), Int(now().seconds))
        let isRotationDue = seconds - rotatedAt >= TicketKeys.period.components.seconds
        guard isRotationDue || stamps != lastStamps else { return }
        let tickets = isRotationDue ? context.ticketKeys.rotated() : context.ticketKeys
        do {
            context = try Self.read(files, at: seconds, tickets: tickets)
            if stamps != lastStamps { logger.notice("certificates loaded", metadata: ["names": .array(names)]) }
        } catch {
            logger.error("certificate reload failed, the current certificates stay in use", metadata: ["cause": "\(error)"])
            context = (try? TLSContext(context.identities, ticketKeys: tickets)) ?? context
        }
        if isRotationDue { rotatedAt = seconds }
        lastStamps = stamps
        warn()
        await server.use(context)
    }

    /// The remaining validity of each certificate by its file; negative if it has expired.
    func remaining(at moment: Timestamp) -> [(file: String, span: Duration)] {
        zip(files, context.identities).map { ("\($0.certificate)", .seconds($1.expiresAt - Int(moment.seconds))) }
    }

    private var names: [Logger.MetadataValue] { context.identities.flatMap(\.names).sorted().map { "\($0)" } }

    private func warn() {
        for host in hosts where !context.covers(host) {
            logger.warning("certificate missing for a configured host", metadata: ["host": "\(host)", "names": .array(names)])
        }
        for (file, span) in remaining(at: now()) where span < Self.warningThreshold {
            logger.warning(
                "certificate expires soon", metadata: ["file": "\(file)", "days": .stringConvertible(span.components.seconds / 86_400)])
        }
        for (identity, files) in zip(context.identities, files) where identity.omitsOCSPResponse {
            logger.warning("OCSP response omitted, it does not confirm the certificate now", metadata: ["file": "\(files.ocspResponse)"])
        }
    }

    private static func read(_ files: [CertificateFiles], at seconds: Int, tickets: TicketKeys) throws -> TLSContext {
        try TLSContext(try files.map { try $0.identity(at: seconds) }, ticketKeys: tickets)
    }
}
