import Accounts
internal import AppLinks
import Base
import HTTPServer
import Logging
import Mail
import Views
import Web

/// The values of the configuration file, parsed and checked. Its keys explain the properties that
/// they set (`keys`).
struct Configuration: Sendable {
    var listen: [ListenAddress]
    var listenTLS: [ListenAddress] = []
    var redirectFrom: [ListenAddress] = []
    /// The certificates. The first is the default for unknown server names.
    var tls: [CertificateFiles] = []
    var adminListen: [ListenAddress] = []
    /// The origin of all links (L1): https, or http for a loopback host.
    var publicOrigin: WebURL
    /// The secrets; nil if they were not looked up, for commands that only explain a configuration.
    var secrets: Secrets?
    /// The file with the secret; nil if it comes from the environment.
    var secretFile: String?
    var database: DatabaseSetting
    /// The folder with `Config` and `Public`; nil: it is searched.
    var resources: String?
    /// The words and templates in that folder; nil if they were not read with the configuration.
    var views: Views?
    var log = LogOptions()
    var trustedProxies = TrustedProxies.none
    var server = ServerOptions()
    /// The abuse limits; a limit that is missing is off.
    var abuseLimits = Limit.standards
    var nodes = 1
    /// The start of `iss` in ID tokens, before `/<project>`; nil: the public origin.
    var idTokenIssuer: String?
    /// How long audit records are kept; nil: for ever.
    var auditRetention: Duration? = .days(365)
    /// How long after its expiry a code is kept.
    var codeRetention = Duration.days(90)
    /// Nil if the file does not say, which `serve` refuses unless upstreams send all mails.
    var mail: MailConfiguration?
    var accountEvents: WebhookSettings?
    var projects: [Project]
}

extension Configuration {
    var rootSecret: RootSecret? {
        get { nil }
        set { (secrets, secretFile) = (newValue?.secrets, newValue?.file) }
    }

    /// The issuer and audience of ID tokens.
    /// - Parameters:
    ///   - projects: the served projects, which in development are more than those of the file.
    ///   - alias: another id that names a project in tokens, in development.
    func tokenNames(
        for projects: Projects, alias: @escaping @Sendable (ProjectID) -> ProjectID? = { _ in nil }
    ) -> TokenNames {
        TokenNames(issuer: idTokenIssuer ?? publicOrigin.origin, alias: alias) { projects[$0]?.idTokenAudience ?? $0.rawValue }
    }

    /// The https hosts of links, which certificates have to name.
    var linkHosts: [String] {
        let urls = [publicOrigin] + projects.flatMap(\.linkDomains).map(\.linksURL)
        return urls.filter { $0.scheme == "https" }.compactMap { $0.host?.serialized }
    }

    /// The error thrown if secrets are needed but were not looked up.
    struct SecretsNotLookedUp: Error {}

    var lookedUpSecrets: Secrets {
        get throws(SecretsNotLookedUp) {
            guard let secrets else { throw SecretsNotLookedUp() }
            return secrets
        }
    }
}

/// The level and format of the log.
struct LogOptions: Sendable, Hashable {
    enum LogFormat: String, Sendable, CaseIterable { case json, text }

    var level = Logger.Level.info
    var format = LogFormat.json
}
