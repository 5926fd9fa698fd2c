import Accounts
import EmailActions
import HTTPServer
import Logging
import Web
import WebURL

/// Everything that an operator decides, read and checked: `Config/onward.yaml` as values.
struct Configuration: Sendable {
    /// Where to listen for plain HTTP: a proxy's, or this machine's own.
    var listen: [ListenAddress]
    /// Where TLS is spoken; nowhere by default.
    var listenTLS: [ListenAddress] = []
    /// Where plain HTTP only leads on to https; nowhere by default.
    var redirectFrom: [ListenAddress] = []
    /// What TLS shows; the first to whoever asks for no name that any is for.
    var tls: [CertificateFiles] = []
    /// Where `Bearer owner` is admin: loopback or private addresses; none by default.
    var adminListen: [ListenAddress] = []
    /// Where people reach this installation; https, but on this machine. Every link comes from it (L1).
    var publicOrigin: WebURL
    /// Nil where secrets were not looked up, because nothing is to be started.
    var secrets: Secrets?
    /// The SQLite file.
    var database: String
    /// The folder that holds `Config` and `Public`; nil: looked for.
    var resources: String?
    var log = LogOptions()
    /// Whose `X-Forwarded-For` is believed.
    var trustedProxies = TrustedProxies.none
    var server = ServerOptions()
    /// What is not among them is not limited.
    var abuseLimits = Limit.standards
    /// The start of `iss` in ID tokens, before `/<project>`; nil: the public origin.
    var idTokenIssuer: String?
    /// How long it stays on record what admins did; nil: for ever.
    var auditRetention: Duration? = .days(365)
    var projects: [Project]
}

extension Configuration {
    /// What ID tokens say of their issuer and of whom they are for.
    /// - Parameter projects: those that are served, which in development are more than the file's.
    func tokenNames(for projects: Projects) -> TokenNames {
        TokenNames(issuer: idTokenIssuer ?? publicOrigin.origin) { projects[$0]?.idTokenAudience ?? $0.rawValue }
    }

    /// Thrown where a configuration that was read to be explained is about to be run.
    struct SecretsNotLookedUp: Error {}

    var lookedUpSecrets: Secrets {
        get throws(SecretsNotLookedUp) {
            guard let secrets else { throw SecretsNotLookedUp() }
            return secrets
        }
    }
}

/// How the log is written.
struct LogOptions: Sendable, Hashable {
    enum Format: String, Sendable, CaseIterable { case json, text }

    var level = Logger.Level.info
    var format = Format.json
}
