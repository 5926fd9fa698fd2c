import Accounts
import AppLinks
import Base
import ConfigurationSamples
import Foundation
import HTTPServer
import Testing
import Web
import World
@testable import Configuration

@Suite struct `A configuration` {
    /// An invalid file and its expected problems.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let what: String
        let yaml: String
        let said: [String]
        var testDescription: String { what }

        init(_ what: String, _ yaml: String, _ said: String...) { (self.what, self.yaml, self.said) = (what, yaml, said) }

        /// `valid` with one line replaced, or with lines behind it.
        init(_ what: String, _ line: String, _ replacement: String, says said: String...) {
            (self.what, yaml, self.said) = (what, Configuration.sampleYAML.replacing(line, with: replacement), said)
        }

        init(_ what: String, adding lines: String, says said: String...) {
            (self.what, yaml, self.said) = (what, Configuration.sampleYAML + "\n" + lines, said)
        }
    }

    @Test func `is parsed if it is valid`() throws {
        let configuration = try Configuration(sample: Configuration.sampleYAML)
        #expect(configuration.publicOrigin.serialized == "https://auth.example.com/")
        #expect(configuration.projects.map(\.id.rawValue) == ["one"])
        #expect(configuration.listen.map(\.description) == ["127.0.0.1:8080"])
        #expect(configuration.projects[0].actionURL.serialized == "https://auth.example.com/__/auth/action")
    }

    @Test(
        arguments: [
            ("mailto:security@example.com", "mailto:security@example.com"),
            ("mailto: security@example.com ", "mailto:security@example.com"),
            ("https://example.com/security", "https://example.com/security"), ("security@example.com", nil), ("mailto:x", nil),
            ("mailto:a@b.example\\nExpires: 2099-01-01T00:00:00Z", nil), ("http://localhost/", nil), ("tel:+4912345", nil),
            ("mailto:jürgen@example.com", nil),
        ] as [(String, String?)])
    func `names a contact by an address or a page`(contact: String, published: String?) throws {
        let yaml = Configuration.sampleYAML + "\nsecurityContact: \"\(contact)\""
        #expect((try? Configuration(sample: yaml))?.securityContact == published)
    }

    @Test func `lets the project and each app choose the form of links`() throws {
        let apps = """

                apps:
                  linkForm: dynamicLinks
                  apple: [{bundleID: com.example.a, teamID: ABCDE12345, linkForm: hosting}]
                  android: [{packageName: com.example.b}]
            """
        let read = try Configuration(sample: Configuration.sampleYAML + apps).projects[0].apps
        #expect(read.linkForm() == .dynamicLinks && read.linkForm(android: "com.example.b") == .dynamicLinks)
        #expect(
            read.linkForm(apple: "com.example.a") == .hosting && read.linkForm(android: "com.example.b", apple: "com.example.a") == .hosting
        )
        #expect(try Configuration(sample: Configuration.sampleYAML).projects[0].apps.linkForm() == .hosting)
    }

    @Test func `has default abuse limits, which can be changed one by one`() throws {
        #expect(try Configuration(sample: Configuration.sampleYAML).abuseLimits == Limit.standards)
        let limits = try Configuration(
            sample: Configuration.sampleYAML + "\nabuseLimits:\n  signUpsPerSource: off\n  passwordsPerKnownNetwork: 7 per 2d"
        ).abuseLimits
        #expect(limits[.signUpsPerSource] == nil)
        #expect(limits[.passwordsPerKnownNetwork] == Allowance(7, per: .days(2)))
        #expect(limits.count == Limit.allCases.count - 1)
    }

    /// Z6: unknown keys and impossible values are refused with file, line and key: lifetimes (C8),
    /// plain http (L4), domains with a path (R13), too short passwords (S1).
    @Test(arguments: [
        Wrong("an unknown key", adding: "databse: x", says: "onward.yaml:11:1: databse: unknown key; did you mean database?"),
        Wrong(
            "an unknown key that resembles nothing", adding: "log:\n  colour: red",
            says: "onward.yaml:12:3: log.colour: unknown key; expected one of level, format"),
        Wrong("a wrong type", "[key-of-one]", "key-of-one", says: "onward.yaml:9:14: projects[0].apiKeys: expected a list"),
        Wrong("a list for text", "path: onward.sqlite", "path: [a]", says: "onward.yaml:5:9: database.path: expected text"),
        Wrong(
            "text for keys", "database:\n  path: onward.sqlite", "database: here",
            says: "onward.yaml:4:11: database: expected {path: FILE} for SQLite, or {url: postgres://…} for PostgreSQL"),
        Wrong(
            "an impossible value", adding: "log:\n  level: loud",
            says: "onward.yaml:12:10: log.level: expected one of trace, debug, info, notice, warning, error, critical"),
        Wrong(
            "a quoted flag", adding: "    hideAccounts: \"true\"",
            says: "onward.yaml:11:19: projects[0].hideAccounts: expected true or false"),
        Wrong(
            "a number out of range", adding: "limits:\n  maxConnections: 3",
            says: "onward.yaml:12:19: limits.maxConnections: expected a whole number from 16 to 1000000"),
        Wrong(
            "a limit without a duration", adding: "abuseLimits:\n  signUpsPerSource: 100",
            says: "onward.yaml:12:21: abuseLimits.signUpsPerSource: expected a number per duration, such as 10 per 15m, or off; "
                + "from 1 to 1000000, from 1s to 30d"),
        Wrong(
            "a limit of nothing", adding: "abuseLimits:\n  signUpsPerSource: 0 per 1h",
            says: "onward.yaml:12:21: abuseLimits.signUpsPerSource: expected a number per duration, such as 10 per 15m, or off; "
                + "from 1 to 1000000, from 1s to 30d"),
        Wrong(
            "a duration without a unit", adding: "    lifetimes:\n      signIn: 60",
            says: "onward.yaml:12:15: projects[0].lifetimes.signIn: "
                + "expected a duration from 1m to 7d, a number with ms, s, m, h or d behind it"),
        Wrong(
            "a lifetime beyond its bound", adding: "    lifetimes:\n      recoverEmail: 91d",
            says: "onward.yaml:12:21: projects[0].lifetimes.recoverEmail: "
                + "expected a duration from 1m to 90d, a number with ms, s, m, h or d behind it"),
        Wrong(
            "a missing key", "database:\n  path: onward.sqlite\n", "",
            says: "onward.yaml:1:1: database: is missing; expected the key path or url in it"
        ),
        Wrong(
            "a missing key of a project", "displayName: One\n    ", "",
            says: "onward.yaml:7:5: projects[0].displayName: is missing; expected the name of the app, as users know it"),
        Wrong(
            "no project", "projects:", "projects: []\nx:", says: "onward.yaml:6:11: projects: expected a list of one or more",
            "onward.yaml:7:1: x: unknown key; expected one of listen, listenTLS, tls, redirectFrom, acmeChallenges, adminListen, console, consoleListen, publicOrigin, secret, database, mail, "
                + "resources, events, log, trustedProxies, limits, abuseLimits, nodes, idTokenIssuer, codeRetention, "
                + "auditRetention, securityContact, changePasswordURL, projects"
        ),
        Wrong(
            "a key that stands twice", adding: "projects: []",
            says: "onward.yaml:6:1: the key projects is given twice, in lines 6 and 11"),
        Wrong("what is no YAML", adding: "  : [", says: "onward.yaml:11:3: not YAML: did not find expected '-' indicator"),
        Wrong(
            "a plain origin", "https://auth", "http://auth",
            says: "onward.yaml:1:15: publicOrigin: expected https://; plain http is for localhost only"),
        Wrong(
            "an origin with a path", "auth.example.com", "auth.example.com/x",
            says: "onward.yaml:1:15: publicOrigin: expected an origin, such as https://auth.example.com, without a path"),
        Wrong(
            "a name to listen on", adding: "listen: [\"localhost:80\"]",
            says: "onward.yaml:11:10: listen[0]: expected an IP address and a port up to 65535, such as 127.0.0.1:8080 or \"[::]:8080\""),
        Wrong(
            "TLS without a certificate", adding: "listenTLS: [\"[::]:443\"]",
            says: "onward.yaml:1:1: listenTLS (addresses) and tls (certificates) belong together; expected both or neither"),
        Wrong(
            "a certificate that is not there",
            adding: "listenTLS: [\"[::]:443\"]\ntls:\n  - certificate: /none.pem\n    privateKey: /none.key",
            says: "onward.yaml:13:5: tls[0]: the file /none.pem cannot be read"),
        Wrong(
            "a certificate without its key", adding: "listenTLS: [\"[::]:443\"]\ntls:\n  - certificate: /none.pem",
            says: "onward.yaml:13:5: tls[0].privateKey: is missing; expected a file"),
        Wrong(
            "a port that leads on from TLS", adding: "listenTLS: []\nredirectFrom: [\"[::]:80\"]\nlisten: [\"[::]:80\"]",
            says: "onward.yaml:13:10: listen[0]: the address \"[::]:80\" is already used by redirectFrom[0]"),
        Wrong(
            "TLS beside a plain origin", "https://auth.example.com", "http://localhost:8080\nredirectFrom: [\"[::1]:80\"]",
            says: "onward.yaml:1:1: listenTLS and redirectFrom require an https publicOrigin"),
        Wrong(
            "a port for admins that is everyone's too", adding: "listen: [\"0.0.0.0:9099\"]\nadminListen: [\"127.0.0.1:9099\"]",
            says: "onward.yaml:12:15: adminListen[0]: the port 9099 is used by listen; expected a separate port"),
        Wrong(
            "a port for admins that is everyone's by default", adding: "adminListen: [\"127.0.0.1:8080\"]",
            says: "onward.yaml:11:15: adminListen[0]: the port 8080 is used by listen; expected a separate port"),
        Wrong(
            "an address for admins twice", adding: "adminListen: [\"127.0.0.1:9099\", \"127.0.0.1:9099\"]",
            says: "onward.yaml:11:33: adminListen[1]: the address \"127.0.0.1:9099\" is already used by adminListen[0]"),
        Wrong(
            "a retention of no time", adding: "auditRetention: 0d",
            says: "onward.yaml:11:17: auditRetention: "
                + "expected a duration from 1d to 3650d, a number with ms, s, m, h or d behind it, or forever"),
        Wrong(
            "a public suffix", "one.example.com", "co.uk",
            says: "onward.yaml:10:25: projects[0].authorizedDomains[0]: The entry \"co.uk\" is a public suffix, "
                + "under which anyone can register a host; name your own host below it."),
        Wrong(
            "a short password", adding: "    passwords:\n      minimumLength: 6",
            says:
                "onward.yaml:12:22: projects[0].passwords.minimumLength: a minimum below 8 requires allowShortPasswords: true"),
        Wrong(
            "an unknown kind of character", adding: "    passwords:\n      requires: [lowercase, emoji]",
            says: "onward.yaml:12:29: projects[0].passwords.requires[1]: expected one of lowercase, uppercase, numeric, nonAlphanumeric"),
        Wrong(
            "a bound that passphrases do not fit under", adding: "    passwords:\n      maximumLength: 20",
            says: "onward.yaml:12:22: projects[0].passwords.maximumLength: expected a whole number from 64 to 4096"),
        Wrong(
            "an unknown time zone", adding: "    timeZone: Mars/Olympus",
            says: "onward.yaml:11:15: projects[0].timeZone: "
                + "expected the name of a time zone in the IANA database, such as Europe/Berlin or UTC"),
        Wrong(
            "an offset as a time zone", adding: "    timeZone: GMT+1",
            says: "onward.yaml:11:15: projects[0].timeZone: "
                + "expected the name of a time zone in the IANA database, such as Europe/Berlin or UTC"),
        Wrong(
            "a faint accent", adding: "    brand:\n      accent: pink",
            says: "onward.yaml:12:15: projects[0].brand.accent: the accent pink is not a colour of the form #rrggbb"),
        Wrong(
            "an unknown form of links", adding: "    apps:\n      linkForm: short",
            says: "onward.yaml:12:17: projects[0].apps.linkForm: expected one of hosting, dynamicLinks"),
        Wrong(
            "a bad team id", adding: "    apps:\n      apple:\n        - {bundleID: com.example.app, teamID: x}",
            says: "onward.yaml:13:11: projects[0].apps.apple[0]: \"x\" is not a team id: ten capital letters and digits."),
        Wrong(
            "an app that stands twice",
            adding: "    apps:\n      android:\n        - {packageName: com.example.app}\n        - {packageName: com.example.app}",
            says: "onward.yaml:12:7: projects[0].apps: The app \"com.example.app\" is registered twice."),
        Wrong(
            "a version code that is none",
            adding: "    apps:\n      android:\n        - packageName: com.example.app\n          versionCodes: {\"1.0\": 1.0}",
            says: "onward.yaml:14:33: projects[0].apps.android[0].versionCodes.1.0: expected a whole number from 1 to 2100000000"),
        Wrong(
            "a service account's key that is not there",
            adding: "    serviceAccounts:\n      - {email: back-end@example.com, publicKey: /nowhere.pem}",
            says: "onward.yaml:12:50: projects[0].serviceAccounts[0].publicKey: the file /nowhere.pem cannot be read"),
        Wrong(
            "a service account's key that is none",
            adding: "    serviceAccounts:\n      - {email: back-end@example.com, publicKey: /etc/hostname}",
            says: "onward.yaml:12:50: projects[0].serviceAccounts[0].publicKey: expected a PEM file with an RSA public key of 2048 bits or "
                + "more, or its certificate; it cannot be read as PEM of an RSA key"),
        Wrong(
            "a secret as text", "\n  env: SECRET", " c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0",
            says: "onward.yaml:2:9: secret: expected {file: PATH} or {env: NAME}, since the secret itself does not belong in this file"),
        Wrong("an unset variable", "env: SECRET", "env: OTHER", says: "onward.yaml:3:3: secret: the environment variable OTHER is not set"),
        Wrong(
            "two secrets", "env: SECRET", "env: SECRET\n  file: x",
            says: "onward.yaml:3:3: secret: expected either env, the name of an environment variable, or file, "
                + "the path of a file with the secret"),
    ])
    func `is refused with file, line, column, key and what was expected`(wrong: Wrong) {
        let error = #expect(throws: InvalidConfiguration.self) { _ = try Configuration(sample: wrong.yaml) }
        #expect(error?.problems.map(\.description) == wrong.said)
    }

    @Test func `keeps the audit for a year, for a given duration, or for ever`() throws {
        #expect(try Configuration(sample: Configuration.sampleYAML).codeRetention == .days(90))
        #expect(try Configuration(sample: Configuration.sampleYAML + "\ncodeRetention: 2d").codeRetention == .days(2))
        #expect(try Configuration(sample: Configuration.sampleYAML).auditRetention == .days(365))
        #expect(try Configuration(sample: Configuration.sampleYAML + "\nauditRetention: 30d").auditRetention == .days(30))
        #expect(try Configuration(sample: Configuration.sampleYAML + "\nauditRetention: forever").auditRetention == nil)
    }

    /// Asking for more than lengths is Firebase's enforcement.
    @Test(
        arguments: [
            ("minimumLength: 10", [], false, false), ("maximumLength: 64", [], false, false),
            ("requires: [uppercase, numeric]", [.numeric, .uppercase], true, false), ("forceUpgradeAtSignIn: true", [], true, true),
        ] as [(String, Set<CharacterClass>, Bool, Bool)])
    func `sets the password policy`(_ line: String, _ requires: Set<CharacterClass>, _ isEnforced: Bool, _ forces: Bool) throws {
        let policy = try #require(try Configuration(sample: Configuration.sampleYAML + "\n    passwords:\n      " + line).projects.first)
            .passwordPolicy
        #expect(policy.requires == requires && policy.isEnforced == isEnforced && policy.forcesUpgradeAtSignIn == forces)
        #expect(policy.minimumLength == (line.hasPrefix("min") ? 10 : 8) && policy.maximumLength == (line.hasPrefix("max") ? 64 : 4096))
    }

    @Test func `must not use an id, key or domain in two projects`() {
        let second = """
              - id: one
                displayName: Two
                apiKeys: [key-of-one]
                authorizedDomains: []
                linkDomains: [links.example.com, Links.Example.com]
            """
        let error = #expect(throws: InvalidConfiguration.self) { _ = try Configuration(sample: Configuration.sampleYAML + "\n" + second) }
        #expect(
            error?.problems.map(\.description) == [
                "onward.yaml:11:9: projects[1].id: the project id \"one\" is already used by projects[0].id",
                "onward.yaml:13:15: projects[1].apiKeys[0]: the API key \"key-of-one\" is already used by projects[0].apiKeys[0]",
                "onward.yaml:15:38: projects[1].linkDomains[1]: "
                    + "the link domain \"https://links.example.com\" is already used by projects[1].linkDomains[0]",
            ])
    }

    @Test func `reports all problems at once in the order of the file`() {
        let error = #expect(throws: InvalidConfiguration.self) {
            _ = try Configuration(sample: "publicOrigin: x\nsecret: {}\nlog: {level: x}\nprojects: [{id: X}]")
        }
        #expect((error?.problems.count ?? 0) >= 8)
        #expect(error?.problems.map(\.line) == error?.problems.map(\.line).sorted { $0 ?? 0 < $1 ?? 0 })
    }

    /// K7: a private key or secret that other users can read is refused.
    @Test(arguments: [(0o600, true), (0o400, true), (0o640, true), (0o644, false), (0o604, false)])
    func `accepts no secret from a file that others can read`(mode: Int, isFine: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-secret-\(UUID().uuidString)").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #require(
            FileManager.default.createFile(atPath: file, contents: Data(repeating: 65, count: 40), attributes: [.posixPermissions: mode]))
        let yaml = Configuration.sampleYAML.replacing("env: SECRET", with: "file: \(file)")
        if isFine {
            #expect(try Configuration(sample: yaml).secrets != nil)
        } else {
            let error = #expect(throws: InvalidConfiguration.self) { _ = try Configuration(sample: yaml) }
            #expect(error?.description.contains("can be read by others") == true)
            // With 600 the server's group could not read a secret of root any more.
            #expect(error?.description.contains("`chmod o= \(file)`") == true)
        }
        let missing = #expect(throws: InvalidConfiguration.self) {
            _ = try Configuration(sample: yaml.replacing(file, with: "\(file)/secret"))
        }
        #expect(missing?.description.contains("the file \(file)/secret cannot be read: Not a directory") == true)
    }

    /// A client would choose its address, and so escape every limit.
    @Test(arguments: ["0.0.0.0/0", "::/0"]) func `a range of proxies that contains every address is refused`(range: String) {
        let error = #expect(throws: InvalidConfiguration.self) {
            _ = try Configuration(sample: "trustedProxies: [\"\(range)\"]\n" + Configuration.sampleYAML)
        }
        #expect(error?.description.contains("trusts every client") == true)
    }

    @Test func `a pipe is not waited for, and a secret in place of its path is not repeated`() throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: "onward-pipe-\(UUID().uuidString)").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: pipe) }
        #expect(mkfifo(pipe, 0o600) == 0)
        func error(_ file: String) -> String? {
            #expect(throws: InvalidConfiguration.self) {
                _ = try Configuration(sample: Configuration.sampleYAML.replacing("env: SECRET", with: "file: \"\(file)\""))
            }?.description
        }
        #expect(error(pipe)?.contains("cannot be read: it is a pipe") == true)
        for secret in [
            "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=", "/83vEjRWeJCrze8S/FZ4kKvN7xI0VniQ", "SG.abc.def", "hunter2-and-more!",
            "postgres://onward:hunter2@db/onward",
        ] {
            #expect(error(secret)?.contains(secret) == false && error(secret)?.contains("may be the secret itself") == true)
        }
        #expect(error(pipe + "-missing")?.contains(pipe + "-missing cannot be read: No such file") == true)
    }

    @Test(arguments: [31, 32]) func `accepts no secret shorter than 32 bytes`(length: Int) {
        let secret = ["SECRET": String(repeating: "s", count: length)]
        #expect(((try? Configuration(sample: Configuration.sampleYAML, environment: secret)) != nil) == (length == 32))
    }

    /// K8: while the secret is changed, what either made is found, and the current one seals.
    @Test func `may have a previous secret`() throws {
        let (new, old) = (String(repeating: "n", count: 40), String(repeating: "o", count: 40))
        let both = Configuration.sampleYAML.replacing("  env: SECRET", with: "  current: {env: NEW}\n  previous: {env: OLD}")
        let secrets = try #require(try Configuration(sample: both, environment: ["NEW": new, "OLD": old]).secrets)
        #expect(secrets == Secrets(root: Array(new.utf8), previous: Array(old.utf8)))
        #expect(secrets != Secrets(root: Array(new.utf8)))
        func error(_ yaml: String, _ old: String) -> String? {
            let error = #expect(throws: InvalidConfiguration.self) {
                _ = try Configuration(sample: yaml, environment: ["NEW": new, "OLD": old])
            }
            return error?.description
        }
        #expect(error(both, new)?.contains("onward.yaml:3:3: secret: current and previous are the same secret") == true)
        #expect(error(both, "short")?.contains("secret.previous: the secret has 5 bytes") == true)
        let one = Configuration.sampleYAML.replacing("  env: SECRET", with: "  previous: {env: OLD}")
        #expect(error(one, old)?.contains("secret.current: is missing") == true)
    }

    @Test func `can be read without its secret`() throws {
        let configuration = try Configuration(yaml: Configuration.sampleYAML, file: "onward.yaml", environment: nil)
        #expect(configuration.secrets == nil && configuration.projects.count == 1)
    }

    @Test(arguments: [
        (nil, "https://auth.example.com/one", "https://auth.example.com/session/one"),
        ("https://securetoken.google.com", "https://securetoken.google.com/one", "https://session.firebase.google.com/one"),
        ("https://id.example.com/onward/", "https://id.example.com/onward/one", "https://id.example.com/onward/session/one"),
    ])
    func `sets the issuer of tokens, by default the origin`(issuer: String?, ofTokens: String, ofCookies: String) throws {
        let configuration = try Configuration(sample: Configuration.sampleYAML + (issuer.map { "\nidTokenIssuer: \($0)" } ?? ""))
        let names = configuration.tokenNames(for: Projects(configuration.projects))
        let one = ProjectID(rawValue: "one")
        #expect(names.issuer(of: one) == ofTokens && names.cookieIssuer(of: one) == ofCookies && names.audience(of: one) == "one")
    }

    @Test func `sets the time zone of dates, by default UTC`() throws {
        #expect(try Configuration(sample: Configuration.sampleYAML).projects.first?.timeZone == "UTC")
        #expect(
            try Configuration(sample: Configuration.sampleYAML + "\n    timeZone: Europe/Berlin").projects.first?.timeZone
                == "Europe/Berlin")
    }

    @Test func `sets the audience of tokens and the accepted service accounts`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString).pem")
        try Signer.backEnd.publicKey.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let configuration = try Configuration(
            sample:
                Configuration.sampleYAML
                + "\n    idTokenAudience: api\n    serviceAccounts:\n      - {email: a@example.com, publicKey: \(file.path)}")
        #expect(configuration.projects.first?.serviceAccounts.map(\.email) == ["a@example.com"])
        #expect(configuration.tokenNames(for: Projects(configuration.projects)).audience(of: ProjectID(rawValue: "one")) == "api")
    }
}
