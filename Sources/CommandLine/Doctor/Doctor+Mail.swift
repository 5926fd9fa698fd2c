import Accounts
import Base
import Configuration
import Mail

extension Doctor {
    /// The records that receivers use to judge the mails of each sender.
    func mails() async -> [Diagnosis] {
        guard let sender = configuration.mail?.sender else { return [] }
        var found: [Diagnosis] = []
        var known: Set<[Substring]> = []
        for project in configuration.projects where project.upstream == nil {
            let own = sender.of(project)
            let (from, envelope) = (own.from.address.domain, (own.envelopeFrom ?? own.from.address).domain)
            if project.providers["apple.com"] != nil { found.append(Self.relayOfApple(from: own.from.address)) }
            guard known.insert([from, envelope]).inserted else { continue }
            found += await [spf(of: String(envelope)), dmarc(of: String(from))] + dkim(of: String(from))
            if Self.organisation(of: from) != Self.organisation(of: envelope) {
                found.append(
                    .warning(
                        "sender \(own.from.address)", "SPF speaks for \(envelope) and not for \(from), so only DKIM counts for DMARC",
                        "Let envelopeFrom be an address at \(from), or be sure that the relay signs for it."))
            }
        }
        return found
    }

    /// Apple does not tell anyone which senders are registered. Source: Apple, *Configure private
    /// email relay service*.
    private static func relayOfApple(from sender: EmailAddress) -> Diagnosis {
        .note(
            "sender \(sender) at Apple", "not checked: users who hide their address get mails of registered senders only",
            "Register \(sender.domain) at Apple, below Services, Sign in with Apple for Email Communication.")
    }

    /// Source: RFC 7208.
    private func spf(of domain: String) async -> Diagnosis {
        let subject = "SPF of \(domain)"
        guard let records = await textRecords(domain) else { return unanswered(subject) }
        let policies = records.filter { $0.lowercased() == "v=spf1" || $0.lowercased().hasPrefix("v=spf1 ") }
        let example = "such as \"v=spf1 include:the-relay's-domain ~all\"; your mail provider documents it."
        switch policies.count {
        case 0: return .error(subject, "there is no record, so many receivers refuse the mails", "Add a TXT record \(example)")
        case 1 where policies[0].lowercased().split(separator: " ").contains { $0 == "+all" || $0 == "all" }:
            return .warning(subject, "the record lets every machine send for \(domain)", "End it with ~all or -all.")
        case 1: return .ok(subject, policies[0])
        default: return .error(subject, "there are \(policies.count) records, which counts as none", "Join them in one record.")
        }
    }

    /// A policy of the domain, or else of the organisation's. Source: RFC 7489.
    private func dmarc(of domain: String) async -> Diagnosis {
        let subject = "DMARC of \(domain)"
        for name in [domain, Self.organisation(of: domain[...])].map({ "_dmarc." + $0 }) {
            guard let records = await textRecords(name) else { return unanswered(subject) }
            let policies = records.filter { $0.lowercased().replacing(" ", with: "").hasPrefix("v=dmarc1") }
            if policies.count == 1 { return .ok(subject, policies[0]) }
            if policies.count > 1 { return .error(subject, "\(name) has \(policies.count) records, which counts as none", "Keep one.") }
        }
        return .warning(
            subject, "there is no policy, which Gmail and Yahoo require of senders of many mails",
            "Add a TXT record at _dmarc.\(domain), to begin with \"v=DMARC1; p=none\".")
    }

    /// Source: RFC 6376 section 3.6.
    private func dkim(of domain: String) async -> [Diagnosis] {
        guard !selectors.isEmpty else {
            return [
                .note(
                    "DKIM of \(domain)", "not checked",
                    "Name the selector with which the relay signs: --dkim-selector, the s= of a mail's DKIM-Signature.")
            ]
        }
        var found: [Diagnosis] = []
        for selector in selectors {
            let (subject, name) = ("DKIM of \(domain)", "\(selector)._domainkey.\(domain)")
            guard let records = await textRecords(name) else {
                found.append(unanswered(subject))
                continue
            }
            found.append(Self.key(records, at: name, subject))
        }
        return found
    }

    private static func key(_ records: [String], at name: String, _ subject: String) -> Diagnosis {
        let remedy = "Publish the record that your mail provider shows."
        let keys = records.compactMap { record in
            record.split(separator: ";").map { $0.filter { !$0.isWhitespace } }.first { $0.hasPrefix("p=") }
        }
        return switch keys.first {
        case nil: .error(subject, "\(name) has no key, so the relay's signatures are void", remedy)
        case "p=": .error(subject, "the key at \(name) is revoked", remedy)
        default: .ok(subject, "\(name) has a key")
        }
    }

    private func unanswered(_ subject: String) -> Diagnosis {
        .warning(subject, "no resolver answered", "Check /etc/resolv.conf and the firewall for port 53, and try again.")
    }

    /// The domain under which a team registered its names.
    private static func organisation(of domain: Substring) -> String {
        PublicSuffix.registrableDomain(of: String(domain)) ?? String(domain)
    }
}
