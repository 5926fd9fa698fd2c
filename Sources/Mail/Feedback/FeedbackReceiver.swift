public import Accounts
public import Base
internal import Cryptography
public import Logging

/// Receives reports of bounces and complaints: checks the provider's proof, and suppresses the
/// addresses.
///
/// A request without a proof costs a hash or a signature and touches neither the store nor, except
/// for a certificate of Amazon's, the network.
public struct FeedbackReceiver: Sendable {
    /// How old a signed message may be. Providers repeat for up to a day what was not answered.
    public static let window = Duration.days(1)
    /// How long the store remembers a message: longer than any clock's error beyond the window.
    public static let memory = Duration.days(2)
    /// The most suppressions of one transaction.
    private static let batchSize = 250

    private let sources: [FeedbackProvider: any FeedbackSource]
    private let store: any Storage
    private let outbox: Outbox
    private let secrets: Secrets
    private let now: Now
    private let meters: MailMeters
    private let logger: Logger

    /// - Parameter settings: nil if no provider is configured.
    public init(
        _ settings: FeedbackSettings?, certificates: SNSCertificates, store: any Storage, outbox: Outbox, secrets: Secrets,
        now: @escaping Now, meters: MailMeters, logger: Logger
    ) {
        sources = settings?.sources(certificates) ?? [:]
        (self.store, self.outbox, self.secrets, self.now) = (store, outbox, secrets, now)
        (self.meters, self.logger) = (meters, logger)
    }

    public func receive(_ request: FeedbackRequest) async throws(ActionError) -> FeedbackAnswer {
        let moment = now()
        var metadata: Logger.Metadata = ["provider": "\(request.provider.rawValue)", "project": "\(request.project)"]
        let message: FeedbackMessage
        do throws(FeedbackError) {
            guard let source = sources[request.provider] else { throw .unauthentic("the provider is not in mail.feedback") }
            message = try await source.message(in: request, at: moment)
        } catch {
            switch error {
            case .unauthentic(let cause):
                metadata["project"] = nil
                metadata["cause"] = "\(cause)"
                logger.notice("mail feedback refused", metadata: metadata)
                return .unauthentic
            case .malformed(let cause):
                metadata["cause"] = "\(cause)"
                logger.warning("mail feedback not understood", metadata: metadata)
                return .malformed
            case .unavailable(let cause): throw .unavailable(Unavailable(.mail, cause: cause))
            }
        }
        if let url = message.confirmationURL {
            metadata["url"] = "\(url)"
            logger.notice("mail feedback waits for confirmation, open the URL", metadata: metadata)
        }
        return try await record(message, with: request.body, from: request.provider, about: request.project)
    }

    func record(
        _ message: FeedbackMessage, with body: [UInt8], from provider: FeedbackProvider, about project: ProjectID
    ) async throws(ActionError) -> FeedbackAnswer {
        let now = now()
        let metadata: Logger.Metadata = ["provider": "\(provider.rawValue)", "project": "\(project)"]
        let hash = HashFunction.sha256.hash(message.id)
        let proof = message.isBodyUnproven ? self.proof(hash, body, of: provider) : nil
        // Each batch counts once, so a message that was recorded in part can be repeated. A proof
        // is bound even if nothing is reported.
        for start in stride(from: 0, to: max(message.reports.count, proof == nil ? 0 : 1), by: Self.batchSize) {
            let reports = message.reports[start..<min(start + Self.batchSize, message.reports.count)]
            let suppressions = reports.compactMap { report in
                Suppression(report.kind, of: outbox.digest(of: report.address, in: project), in: project, from: provider, at: now)
            }
            var result = ReportResult.counted(suppressed: 0)
            if !suppressions.isEmpty || proof != nil {
                let id = secrets.digest(Array("\(project)\n\(provider.rawValue)\n\(start)\n".utf8) + hash, for: .mailReport)
                result = try await store.suppress(suppressions, by: RememberedReport(id, proof: proof), at: now)
            }
            switch result {
            case .proofUsed:
                logger.notice("mail feedback refused", metadata: metadata.merging(["cause": "its proof came with another body"]) { $1 })
                return .unauthentic
            case .repeated: logger.notice("mail feedback repeated, ignored", metadata: metadata)
            case .counted(let suppressed):
                for report in reports { meters.count(report.kind, from: provider) }
                if reports.contains(where: { $0.kind == .senderRefused }) {
                    logger.error(
                        "sender refused by the recipient's provider; register the sender there (Apple: Sign in with Apple for Email)",
                        metadata: metadata)
                }
                logger.info(
                    "mail feedback received",
                    metadata: metadata.merging([
                        "reports": .stringConvertible(reports.count), "suppressed": .stringConvertible(suppressed),
                    ]) { $1 })
            }
        }
        return .accepted
    }

    /// The digests are the same for every project.
    private func proof(_ hash: [UInt8], _ body: [UInt8], of provider: FeedbackProvider) -> RememberedReport.Proof {
        let name = Array("\(provider.rawValue)\n".utf8)
        return RememberedReport.Proof(
            secrets.digest(name + hash, for: .mailReport),
            withBody: secrets.digest(name + hash + HashFunction.sha256.hash(body), for: .mailReport))
    }
}
