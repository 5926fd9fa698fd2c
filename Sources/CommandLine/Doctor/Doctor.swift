import Accounts
import Base
import Configuration
import Foundation
import Mail
import Network
import Server
import Views

/// Checks an installation from outside, as its clients and the receivers of its mails see it, and
/// from inside.
struct Doctor: Sendable {
    let configuration: Configuration
    /// The selectors under which the relay signs mails (DKIM).
    let selectors: [String]
    /// The response to a GET; redirects are not followed.
    let get: @Sendable (_ url: String) async -> Result<TransferResponse, TransferError>
    /// The TXT records of a name; nil if no resolver answers.
    let textRecords: @Sendable (_ name: String) async -> [String]?
    let now: Now

    /// Asks the network.
    init(_ configuration: Configuration, selectors: [String]) {
        var limits = TransferLimits()
        limits.width = 1
        let client = HTTPClient(limits, circuitChanged: { _ in })
        let records = TextRecords()
        self.init(
            configuration: configuration, selectors: selectors,
            get: { url in
                do throws(TransferError) { return .success(try await client.send(TransferRequest(url: url, fields: [], body: nil))) } catch
                {
                    return .failure(error)
                }
            },
            textRecords: { try? records.records(of: $0) }, now: System.now)
    }

    init(
        configuration: Configuration, selectors: [String],
        get: @escaping @Sendable (String) async -> Result<TransferResponse, TransferError>,
        textRecords: @escaping @Sendable (String) async -> [String]?, now: @escaping Now
    ) {
        (self.configuration, self.selectors, self.get, self.textRecords, self.now) = (configuration, selectors, get, textRecords, now)
    }

    func examine() async -> [Diagnosis] {
        await origins() + apps() + signUps() + invitations() + shortLinks() + mails() + relays() + ownFiles() + machine()
    }

    /// The operator's own words and templates that have no effect, as after an upgrade.
    func ownFiles() -> [Diagnosis] {
        do {
            let loaded = try LoadedResources(configuration, mode: .production)
            try loaded.checkWords()
            return loaded.diagnoses
        } catch {
            return [.error("own words and looks", errorLine(for: error) ?? "\(error)", "`onward check-config` says more.")]
        }
    }

    /// Connects to each relay and authenticates; sends nothing.
    private func relays() async -> [Diagnosis] {
        guard case .relays(let relays)? = configuration.mail?.delivery else { return [] }
        return await SMTPTransport(relays, encode: { MIMEMessage($0).bytes }, logger: MailTest.quiet).verify().map { check in
            let subject = "relay \(check.relay)"
            guard let failure = check.failure else { return .ok(subject, "accepts the connection and the credentials") }
            return .error(subject, failure, "Run `onward mail test --to` your own address, which shows the dialogue.")
        }
    }
}
