import Accounts
import Base
public import HTTPServer
import Logging
import Yams

extension Configuration: Section {
    /// The defaults, with placeholders for what is required.
    public init() {
        self.init(listen: [.standard], publicOrigin: try! WebURL("https://localhost"), database: .sqlite(path: ""), projects: [])
    }

    static var keys: [ConfigurationKey<Self>] {
        #"Addresses for plain HTTP: IP addresses with a port, IPv6 in brackets and quotes. The default is this machine only, for a proxy"#
        #"that does TLS and for `onward healthcheck`. "0.0.0.0:8080" listens on all interfaces for IPv4, "[::]:8080" for IPv6 only: name"#
        #"both for both. May be empty if listenTLS is not."#
        ConfigurationKey("listen", \.listen, .list(.listenAddress))
        #"Addresses for TLS without a proxy, such as ["0.0.0.0:443", "[::]:443"]. Needs tls. Default: none."#
        ConfigurationKey("listenTLS", \.listenTLS, .list(.listenAddress))
        "Certificates for listenTLS, default: none. Both are PEM files: the server's certificate followed by its chain, and its key,"
        "without a password and not readable by others (chmod o=). A client is shown the certificate of the name that it asks for,"
        "otherwise the first. There may be an RSA and an ECDSA certificate for the same names; ECDSA P-256 handshakes are much cheaper."
        "An OCSP response (DER) in the file <certificate>.ocsp is stapled while it says that the certificate is good. Changed files are"
        "reloaded; if they cannot be used, the old ones stay and the log says so."
        ConfigurationKey("tls", \.tls, .list(.section(CertificateSection.self)))
            .example("[{certificate: /etc/onward/tls/fullchain.pem, privateKey: /etc/onward/tls/privkey.pem}]")
        #"Addresses for plain HTTP that only redirects to https, such as ["0.0.0.0:80", "[::]:80"]. Pages are redirected to the same"#
        #"page under publicOrigin or the link domain; everything else is refused. Default: none."#
        ConfigurationKey("redirectFrom", \.redirectFrom, .list(.listenAddress))
        "A folder with answers to a certificate authority (ACME), as `certbot certonly --webroot -w FOLDER` writes them. redirectFrom"
        "answers with them for publicOrigin and the link domains (Docs/TLS.md). Default: none."
        ConfigurationKey("acmeChallenges", \.acmeChallenges, .text).example("/var/lib/onward-acme")
        "Addresses on which `Authorization: Bearer owner` is admin of every project, in plain HTTP. Firebase's Admin SDKs send only that"
        "when they are pointed at an emulator, for example with FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099. Every client that can connect"
        "is admin, so the addresses must be loopback or private (127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10,"
        "::1, fc00::/7), with a port that listen does not use, and no proxy may point here. Only the API and /metrics are served, under"
        "these addresses and localhost, and not to browsers. Such as [127.0.0.1:9099]. Default: none."
        ConfigurationKey("adminListen", \.adminListen, .list(.privateAddress(because: "this address gives admin access")))
        "Whether the console is served, under publicOrigin at /__/console: a page for people who help users. It asks for an admin key"
        "(`onward admin-key create`), whose permissions decide what it shows; what is done is in the audit (Docs/Support.md)."
        ConfigurationKey("console", \.hasConsole, .boolean)
        "Addresses that serve the console, in plain HTTP, and nothing else; the public origin has none then. Loopback or private as those"
        "of adminListen, with a port that only they use. Browsers reach them as these addresses or as localhost, for example through"
        "`ssh -L 8081:localhost:8081`. Such as [127.0.0.1:8081]. Default: none."
        ConfigurationKey("consoleListen", \.consoleListen, .list(.privateAddress(because: "the console is for people of your own network")))
        "The public address of this installation: scheme and host, without a path. Every mailed link starts with it; no header of a"
        "request changes that. https; plain http only for localhost."
        ConfigurationKey("publicOrigin", \.publicOrigin, .origin).required("https:// and the public host").shown("https://auth.example.com")
        "The secret from which all keys are derived: codes, sessions and admin keys are stored as hashes keyed with it; mails and signing"
        "keys are encrypted with it. At least 32 bytes; create it with `openssl rand -base64 48`. The database knows the secret it was"
        "made with, and no other is accepted. Either env, the name of an environment variable, or file, a file that others cannot read"
        "(chmod o=). To change the secret without ending anything: {current: {env: NEW}, previous: {env: OLD}}, a restart, `onward secret"
        "reseal`, and then without previous again (Docs/Secrets.md)."
        ConfigurationKey("secret", \.rootSecret, .rootSecret).required("the key env or file in it").shown("{env: ONWARD_SECRET}")
        "The database: an SQLite file, created at the first start. Its folder has to exist, be writable, and be on a local disk. Or a"
        "PostgreSQL server, which any number of nodes share, with url instead of path (Docs/PostgreSQL.md)."
        ConfigurationKey("database", \.database, .database).required("the key path or url in it")
        "How mails are sent; `mail: none` if only admins hand out links. `onward check-config` connects to the relays, `onward mail test"
        "--to you@example.com` sends a mail."
        ConfigurationKey(
            "mail", \.mail,
            .word("none", MailConfiguration.none, or: .section(MailSection.self, "none, or the keys from and relays (or webhook)")))
        "A folder of your own words and looks, with what differs from the release: logos in Public, changed words in Config/languages,"
        "changed templates in Config/templates (Docs/Looks.md). A project's own mails are in Config/templates/mails/projects/<id>, in"
        "files such as de/resetPassword.txt.mustache (Docs/Templates.md). `onward dev --config` shows all pages and mails with them."
        "Default: none."
        ConfigurationKey("resources", \.resources, .text).example("/etc/onward/looks")
        "Back ends of apps that are told of changes of accounts: who is new, deleted, merged, has another address or password, and so on"
        "(Docs/Events.md). Default: none."
        ConfigurationKey("events", \.events, .list(ValueForm.section(EventSection.self).unique("URL of events", by: \.endpoint.url)))
            .example(#"[{url: "https://app.example/onward", secret: {env: ONWARD_EVENTS_SECRET}}]"#)
        "The log is written to standard error: one line per event, in UTC, without secrets."
        ConfigurationKey("log", \.log, .section(LogOptions.self))
        "Proxies in front of Onward: addresses or ranges, such as 10.0.0.0/8. Onward believes only their X-Forwarded-For, which gives the"
        "address for limits and the log. Default: none; the client is the peer of the connection."
        ConfigurationKey("trustedProxies", \.trustedProxies, ValueForm.list(.proxyRange).map { TrustedProxies(ranges: $0) }).standard("[]")
        "Limits and deadlines of the HTTP server."
        ConfigurationKey("limits", \.server, .section(ServerOptions.self))
        "Rate limits: a number of attempts at once, which are regained evenly over the duration, or off. Beyond it the answer is"
        "TOO_MANY_ATTEMPTS_TRY_LATER, or 429 on pages. From 1 to 1000000, from 1s to 30d. A source is an IPv4 address or a /64 of IPv6,"
        "behind trusted proxies; the networks around it (IPv4 /24; IPv6 /56 and /48) have eight times as many, each. Limits are kept in"
        "memory: a restart resets them, and several processes share them (nodes). They do not apply to admins. Mails, text messages and"
        "other writes that did not come about do not count."
        ConfigurationKey("abuseLimits", \.abuseLimits, .section(AbuseLimitsSection.self))
        "The number of processes of Onward on one database, which share the limits above and the paces of mails: each counts by itself"
        "and gives its part (Docs/Scaling.md)."
        ConfigurationKey("nodes", \.nodes, .count(1...1_000))
        "The issuer (`iss`) of ID tokens, before /<project id>: an https URL. The default is publicOrigin, where any OpenID Connect"
        "library finds the keys (<issuer>/.well-known/openid-configuration). https://securetoken.google.com is Firebase's, and what its"
        "Admin SDKs check for; outside emulator mode they fetch Google's keys and refuse Onward's tokens anyway."
        ConfigurationKey("idTokenIssuer", \.idTokenIssuer, ValueForm.webURL.map { $0.serialized.trimmingSuffix("/") }).standard(
            "https://auth.example.com")
        "How long a link is known after it has expired, so that its page can say that it was used, or when it ended. After that it says"
        "that the link does not work any more."
        ConfigurationKey("codeRetention", \.codeRetention, .duration(.days(1) ... .days(365)))
        "How long the record of what admins did is kept (`onward audit` prints it), or forever."
        ConfigurationKey("auditRetention", \.auditRetention, .word("forever", or: .duration(.days(1) ... .days(3650), ", or forever")))
        "Whom to tell of a weakness of this installation, for /.well-known/security.txt: mailto: and an address, or an https URL."
        "Default: none."
        ConfigurationKey("securityContact", \.securityContact, .contact).example("mailto:security@example.com")
        "The page of your app where a signed-in user changes the password. /.well-known/change-password leads there, which password"
        "managers open. Default: none."
        ConfigurationKey("changePasswordURL", \.changePasswordURL, .webURL).example("https://app.example.com/password")
        "One or more projects. An id, API key or link domain may appear only once in this file."
        ConfigurationKey("projects", \.projects, .list(.section(ProjectSection.self), orNone: false)).required("a list of one or more")
    }

    func value(in setting: Setting) -> Configuration? {
        if publicOrigin.scheme == "http", !(listenTLS + redirectFrom).isEmpty {
            setting.note("listenTLS and redirectFrom require an https publicOrigin")
        }
        func isGiven(_ key: String) -> Bool { setting[key]?.items.isEmpty == false }
        if isGiven("listenTLS") != isGiven("tls") {
            setting.note("listenTLS (addresses) and tls (certificates) belong together; expected both or neither")
        }
        if listenTLS.isEmpty, let listen = setting["listen"], listen.node.sequence?.isEmpty == true {
            listen.note("expected at least one address")
        }
        // With two sockets on one port, the kernel prefers the more specific address, so that a
        // proxy could forward public requests to the admin listener.
        let publicPorts = Set((listen + listenTLS + redirectFrom).map(\.port)).subtracting([0])
        for (key, others) in [("adminListen", publicPorts), ("consoleListen", publicPorts.union(adminListen.map(\.port)))] {
            for item in setting[key]?.items ?? [] {
                guard let port = ListenAddress(item.word ?? "")?.port, port != 0, others.contains(port) else { continue }
                item.note("the port \(port) is used by \(publicPorts.contains(port) ? "listen" : "adminListen"); expected a separate port")
            }
        }
        let helped = (setting["projects"]?.items ?? []).filter { $0["firebaseHelpers"].map { $0.word != "false" } ?? false }
        if let first = helped.first, let other = projects.first(where: { $0.upstream == nil }) {
            first["firebaseHelpers"]?.note(
                "Google's scripts would run at the origin of the project \(other.id), whose accounts are here; give this project an installation of its own"
            )
        }
        for other in helped.dropFirst() {
            other["firebaseHelpers"]?.note("another project has it; the pages of one origin are one project's")
        }
        for entry in setting["events"]?.items ?? [] {
            for name in entry["projects"]?.items ?? [] where !projects.contains(where: { $0.id.rawValue == name.word }) {
                name.note("no project has this id; expected one of \(projects.map(\.id.rawValue).joined(separator: ", "))")
            }
        }
        var configuration = self
        if publicOrigin.scheme == "https" { configuration.server.strictTransport = .days(730) }
        configuration.idTokenIssuer = idTokenIssuer ?? publicOrigin.origin
        configuration.views = setting.context.views
        return configuration
    }
}

extension LogOptions: Section {
    static var keys: [ConfigurationKey<Self>] {
        "trace, debug, info, notice, warning, error or critical."
        ConfigurationKey("level", \.level, .choice)
        "json or text."
        ConfigurationKey("format", \.format, .choice)
    }
}

extension ServerOptions: Section {
    static var keys: [ConfigurationKey<Self>] {
        "Open connections; one more is answered 503."
        ConfigurationKey("maxConnections", \.maxConnections, .count(16...1_000_000))
        "TLS handshakes in progress; one more ends the oldest."
        ConfigurationKey("maxHandshakes", \.maxHandshakes, .count(16...100_000))
        "Bytes held for all clients together: incomplete requests, bodies, responses that wait to be sent. Beyond it new bodies are"
        "answered 503, and the slowest clients are cut first."
        ConfigurationKey("maxBufferedBytes", \.maxBufferedBytes, .count(8_388_608...1_099_511_627_776))
        "Bytes of a request body; a longer one is answered 413."
        ConfigurationKey("maxBodyBytes", \.limits.maxBodyBytes, .count(4_096...16_777_216))
        "From the first byte of a request to the end of its header."
        ConfigurationKey("headerDeadline", \.deadlines.header, .duration(.seconds(1) ... .minutes(5)))
        "From the end of the header to the end of the body."
        ConfigurationKey("bodyDeadline", \.deadlines.bodyTotal, .duration(.seconds(1) ... .minutes(30)))
        "Between two requests of a connection. Use more than the idle timeout of a proxy, or the proxy may send into a connection that is"
        "closing."
        ConfigurationKey("keepAlive", \.deadlines.keepAlive, .duration(.seconds(1) ... .hours(1)))
        "For running requests to finish when the server is stopped."
        ConfigurationKey("grace", \.grace, .duration(.seconds(1) ... .minutes(10)))
    }
}
