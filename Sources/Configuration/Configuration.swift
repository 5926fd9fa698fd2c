public import Accounts
import AppLinks
public import Base
public import HTTPServer
public import Logging
public import Views

/// The values of the configuration file, parsed and checked. Its keys explain the properties that
/// they set (`keys`).
public struct Configuration: Sendable {
    public var listen: [ListenAddress]
    public var listenTLS: [ListenAddress] = []
    public var redirectFrom: [ListenAddress] = []
    /// The folder with answers to a certificate authority; nil if there is none.
    public var acmeChallenges: String?
    /// The certificates. The first is the default for unknown server names.
    public var tls: [CertificateFiles] = []
    public var adminListen: [ListenAddress] = []
    public var hasConsole = false
    public var consoleListen: [ListenAddress] = []
    /// The origin of all links (L1): https, or http for a loopback host.
    public var publicOrigin: WebURL
    /// The secrets; nil if they were not looked up, for commands that only explain a configuration.
    public var secrets: Secrets?
    /// The file with the secret; nil if it comes from the environment.
    public var secretFile: String?
    public var database: DatabaseSetting
    /// The folder with `Config` and `Public`; nil: it is searched.
    public var resources: String?
    /// The words and templates in that folder; nil if they were not read with the configuration.
    public var views: Views?
    public var log = LogOptions()
    public var trustedProxies = TrustedProxies.none
    public var server = ServerOptions()
    /// The contact for reports of weaknesses; nil if there is none.
    public var securityContact: String?
    /// The app's page for a new password; nil: none.
    public var changePasswordURL: WebURL?
    /// The abuse limits; a limit that is missing is off.
    public var abuseLimits = Limit.standards
    public var nodes = 1
    /// The start of `iss` in ID tokens, before `/<project>`; nil: the public origin.
    public var idTokenIssuer: String?
    /// How long audit records are kept; nil: for ever.
    public var auditRetention: Duration? = .days(365)
    /// How long after its expiry a code is kept.
    public var codeRetention = Duration.days(90)
    /// Nil if the file does not say, which `serve` refuses unless upstreams send all mails.
    public var mail: MailConfiguration?
    public var events: [EventWebhook] = []
    public var projects: [Project]
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
    public func tokenNames(
        for projects: Projects, alias: @escaping @Sendable (ProjectID) -> ProjectID? = { _ in nil }
    ) -> TokenNames {
        TokenNames(issuer: idTokenIssuer ?? publicOrigin.origin, alias: alias) { projects[$0]?.idTokenAudience ?? $0.rawValue }
    }

    /// The https hosts of links, which certificates have to name.
    public var linkHosts: [String] {
        let urls = [publicOrigin] + projects.flatMap(\.linkDomains).map(\.linksURL)
        return urls.filter { $0.scheme == "https" }.compactMap { $0.host?.serialized }
    }

    /// The error thrown if secrets are needed but were not looked up.
    struct SecretsNotLookedUp: Error {}

    public var lookedUpSecrets: Secrets {
        get throws(SecretsNotLookedUp) {
            guard let secrets else { throw SecretsNotLookedUp() }
            return secrets
        }
    }
}

/// The level and format of the log.
public struct LogOptions: Sendable, Hashable {
    public enum LogFormat: String, Sendable, CaseIterable { case json, text }

    public var level = Logger.Level.info
    public var format = LogFormat.json

    public init() {}

    public init(level: Logger.Level, format: LogFormat) { (self.level, self.format) = (level, format) }
}
