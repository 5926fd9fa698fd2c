import Base
import Configuration
import HTTPServer
import Logging

/// Reloads the certificates of a server when their files change. If a pair of files cannot be used,
/// the certificate that was loaded from it stays in use and the problem is logged; the others are
/// reloaded (K2, K3).
actor CertificateWatch {
    private var files: [CertificateFiles]
    /// The hosts that the certificates should name.
    private var hosts: [String]
    private let now: Now
    private let logger: Logger
    private(set) var context: TLSContext
    private var lastStamps: [[CertificateFiles.Stamp?]]
    private var rotatedAt: Int

    /// The remaining validity below which a warning is logged.
    private static let warningThreshold = Duration.days(14)

    /// Reads the files; throws a sentence that names the file that cannot be used.
    /// - Parameter hosts: a warning is logged for each that no certificate names.
    init(_ files: [CertificateFiles], naming hosts: [String] = [], now: @escaping Now, logger: Logger) throws {
        (self.files, self.hosts, self.now, self.logger) = (files, hosts, now, logger)
        rotatedAt = Int(now().seconds)
        lastStamps = files.map(\.stamps)
        let seconds = rotatedAt
        context = try TLSContext(try files.map { try $0.identity(at: seconds) })
    }

    /// Checks the files periodically until the task is cancelled.
    func run(for server: HTTPServer) async {
        warn()
        await PeriodicJob(every: .seconds(2)) { await self.check(for: server) }.run()
    }

    /// Uses other files from now on. Throws if one of them cannot be used; then nothing changes. A
    /// certificate that has expired is refused only if its files are new.
    func use(_ files: [CertificateFiles], naming hosts: [String] = [], for server: HTTPServer) async throws {
        let (stamps, seconds) = (files.map(\.stamps), Int(now().seconds))
        let known = Dictionary(zip(self.files, context.identities)) { first, _ in first }
        let identities = try files.map { (files) -> TLSIdentity in
            let loaded = known[files]
            let identity = try files.identity(at: seconds, mayHaveExpired: loaded != nil)
            guard let loaded, identity.expiresAt <= seconds else { return identity }
            logger.warning("certificate has expired, the loaded one stays in use", metadata: ["file": "\(files.certificate)"])
            return loaded
        }
        context = try TLSContext(identities, ticketKeys: context.ticketKeys)
        (self.files, self.hosts, lastStamps) = (files, hosts, stamps)
        logger.notice("certificates loaded", metadata: ["names": .array(names)])
        warn()
        await server.use(context)
    }

    /// Reads the files if they have changed, and rotates the ticket keys once per period.
    func check(for server: HTTPServer) async {
        let (stamps, seconds) = (files.map(\.stamps), Int(now().seconds))
        let isRotationDue = seconds - rotatedAt >= TicketKeys.period.components.seconds
        guard isRotationDue || stamps != lastStamps else { return }
        let tickets = isRotationDue ? context.ticketKeys.rotated() : context.ticketKeys
        let identities = files.indices.map { index in
            let loaded = context.identities[index]
            guard isRotationDue || stamps[index] != lastStamps[index] else { return loaded }
            return current(files[index], loaded: loaded, at: seconds)
        }
        let isReloaded = zip(identities, context.identities).contains { $0 !== $1 }
        do {
            context = try TLSContext(identities, ticketKeys: tickets)
            if stamps != lastStamps, isReloaded { logger.notice("certificates loaded", metadata: ["names": .array(names)]) }
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
        for (file, span) in remaining(at: now()) where span > .zero && span < Self.warningThreshold {
            logger.warning(
                "certificate expires soon", metadata: ["file": "\(file)", "days": .stringConvertible(span.components.seconds / 86_400)])
        }
        for (identity, files) in zip(context.identities, files) where identity.omitsOCSPResponse {
            logger.warning("OCSP response omitted, it does not confirm the certificate now", metadata: ["file": "\(files.ocspResponse)"])
        }
    }

    /// The certificate that the files have now; the loaded one if they cannot be used.
    private func current(_ files: CertificateFiles, loaded: TLSIdentity, at seconds: Int) -> TLSIdentity {
        do throws(SettingError) { return try files.identity(at: seconds) } catch {
            logger.error(
                "certificate reload failed, the loaded one stays in use",
                metadata: ["file": "\(files.certificate)", "cause": "\(error)"])
            return loaded
        }
    }
}
