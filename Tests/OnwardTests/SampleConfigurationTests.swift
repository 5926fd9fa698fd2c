import Accounts
import Foundation
import Testing
import Web
@testable import Onward

@Suite struct `The sample configuration` {
    let sample: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        sample = try String(contentsOf: root.appending(path: "Config/onward.yaml"), encoding: .utf8)
    }

    private func read(_ yaml: String) throws -> Configuration {
        try ConfigurationReading.read(yaml)
    }

    /// The sample with every `#key:` line and its indented lines enabled.
    private var spelledOut: String {
        sample.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }
            let rest = line.dropFirst(indent.count)
            guard rest.hasPrefix("#"), rest.dropFirst().first != " " || rest.hasPrefix("#  ") else { return String(line) }
            return String(indent + rest.dropFirst())
        }.joined(separator: "\n")
    }

    @Test func `is valid as it is`() throws { _ = try read(sample) }

    @Test func `states every default correctly`() throws {
        var (quiet, loud) = (String(), String())
        dump(try read(sample), to: &quiet)
        dump(try read(spelledOut), to: &loud)
        #expect(spelledOut != sample)
        // By line and sorted, because dictionaries come in any order.
        #expect(quiet.split(separator: "\n").sorted() == loud.split(separator: "\n").sorted())
    }

    @Test(
        arguments: [
            "listen", "listenTLS", "tls", "redirectFrom", "adminListen", "auditRetention", "codeRetention", "resources", "log", "level",
            "format",
            "trustedProxies", "limits", "maxConnections", "maxHandshakes", "maxBufferedBytes",
            "maxBodyBytes", "headerDeadline", "bodyDeadline", "keepAlive", "grace", "abuseLimits", "nodes", "idTokenIssuer",
            "plainHTTPDomains",
            "linkDomains", "linkForm", "apple", "android", "bundleID", "teamID", "appStoreID", "customSchemes", "packageName",
            "sha256Fingerprints", "versionCodes",
            "actionURL", "resetPassword", "verifyEmail", "signIn", "verifyAndChangeEmail", "recoverEmail", "revertSecondFactorAddition",
            "continuePolicy", "password", "emailLink", "anonymous", "minimumLength", "allowShortPasswords", "maximumLength", "requires",
            "forceUpgradeAtSignIn", "hideAccounts", "language", "timeZone", "accent", "logo", "help", "idTokenAudience", "serviceAccounts",
            "authority", "from", "replyTo", "envelopeFrom", "relays", "url", "starttls", "user", "password", "tokenFile", "helo",
            "caFile", "pinnedKey", "ratePerMinute", "maxConnections", "webhook", "feedback", "sns", "topic", "sendgrid", "publicKey",
            "mailgun", "signingKey",
            "postmark", "plain", "keepFor", "mailsPerMinute", "preparedStatements", "directURL", "waitAtStart", "replica", "maxStaleness",
        ] + Limit.allCases.map(\.rawValue))
    func `contains every key`(key: String) { #expect(sample.contains(try! Regex("(^|[ #\\-])\(key):"))) }
}

enum ConfigurationReading {
    static func read(_ yaml: String) throws -> Configuration {
        try Configuration(yaml: yaml, file: "onward.yaml", environment: nil)
    }
}
