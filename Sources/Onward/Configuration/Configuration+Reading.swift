import Accounts
import Base
import Foundation
import HTTPServer
import Logging
import Yams

extension Configuration {
    /// Returns the value of an environment variable.
    typealias Environment = @Sendable (_ name: String) -> String?

    /// Reads a configuration file. Throws `InvalidConfiguration` with all problems in it (Z6).
    /// - Parameters:
    ///   - environment: the environment; nil: secrets are not looked up.
    ///   - certificates: the demands on certificates; nil: their files are not read.
    ///   - readsResources: whether languages, logos and templates are read, too.
    init(
        file: String, environment: Environment?, certificates: CertificateCheck? = nil, readsResources: Bool = false
    ) throws(InvalidConfiguration) {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            let sentence =
                FileManager.default.fileExists(atPath: file)
                ? "the file cannot be read; run the command as the user of the server"
                : "there is no such file; `onward init` writes a first one"
            throw InvalidConfiguration(problems: [Problem(file: file, line: nil, column: nil, key: nil, sentence: sentence)])
        }
        guard let yaml = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
            let sentence = "the file is not UTF-8: save it as UTF-8"
            throw InvalidConfiguration(problems: [Problem(file: file, line: line, column: nil, key: nil, sentence: sentence)])
        }
        try self.init(yaml: yaml, file: file, environment: environment, certificates: certificates, readsResources: readsResources)
    }

    /// Parses the text of a configuration file, whose name is used in messages only.
    init(
        yaml: String, file: String, environment: Environment?, certificates: CertificateCheck? = nil, readsResources: Bool = false
    ) throws(InvalidConfiguration) {
        let findings = ProblemCollector(file: file)
        let read = Self.compose(yaml, findings: findings).flatMap { root -> Configuration? in
            let setting = Setting(path: "", node: root, findings: findings)
            do throws(SettingError) {
                return try setting.section { top in Self.read(top, environment: environment, certificates, readsResources: readsResources) }
            } catch {
                findings.note(error.sentence, key: nil, at: root.mark)
                return nil
            }
        }
        try findings.check()
        guard let read else {
            throw InvalidConfiguration(problems: [Problem(file: file, line: nil, column: nil, key: nil, sentence: "cannot be used")])
        }
        self = read
    }

    private static func compose(_ yaml: String, findings: ProblemCollector) -> Node? {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                findings.note("the file is empty", key: nil, at: nil)
                return nil
            }
            return root
        } catch {
            switch error as? YamlError {
            case .duplicatedKeysInMapping(let keys, let context)?:
                for key in keys {
                    let lines = Self.lines(of: key, in: yaml, from: context.mark).map(String.init).joined(separator: " and ")
                    findings.note(
                        "the key \(key) is given twice" + (lines.isEmpty ? "" : ", in lines \(lines)"), key: nil, at: context.mark)
                }
            case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?, .composer(_, let problem, let mark, _)?:
                findings.note("not YAML: \(explanation(of: problem, at: mark, in: yaml))", key: nil, at: mark)
            default: findings.note("not YAML: \(error)", key: nil, at: nil)
            }
            return nil
        }
    }

    /// The words of the library, or plainer ones for the slips that are made most.
    private static func explanation(of problem: String, at mark: Mark, in yaml: String) -> String {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
        if line.prefix(while: \.isWhitespace).contains("\t") { return "the line begins with a tab; indent by spaces" }
        if line.contains("\t"), problem.contains("cannot start any token") { return "the line contains a tab; write spaces" }
        return switch problem {
        case "did not find expected key":
            "the line does not fit the lines before it; its indentation must be theirs, and a text that begins with a sign needs quotes"
        case "mapping values are not allowed in this context":
            "a key is not expected here; its indentation must be that of its neighbours, and a text with \": \" needs quotes"
        case "could not find expected ':'": "a colon is missing after a key, or a text of several lines is not indented"
        default: problem
        }
    }

    /// The lines that begin with a key of the block mapping at a position.
    private static func lines(of key: String, in yaml: String, from start: Mark) -> [Int] {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst(start.line - 1)
        return lines.filter { _, line in
            let bare = line.drop { $0 == " " || $0 == "-" }
            return line.count - bare.count == start.column - 1 && bare.hasPrefix(key + ":")
        }.map { $0.offset + 1 }
    }

    /// The description of a configuration file, as the code below reads it.
    static func description() -> SectionDescription {
        let description = SectionDescription()
        _ = read(Section(describing: description), environment: nil, nil, readsResources: false)
        return description
    }

    private static func read(
        _ top: Section, environment: Environment?, _ certificates: CertificateCheck?, readsResources: Bool
    ) -> Configuration? {
        let tls = top.value("tls") { list throws(SettingError) in try list.certificates(certificates) }
        let listenTLS = top.value("listenTLS") { list throws(SettingError) in try list.addresses(orNone: true) } ?? []
        let redirectFrom = top.value("redirectFrom") { list throws(SettingError) in try list.addresses(orNone: true) } ?? []
        let listen = top.value("listen") { list throws(SettingError) in try list.addresses(orNone: !listenTLS.isEmpty) } ?? [.standard]
        let adminListen = top.value("adminListen") { list throws(SettingError) in
            try list.adminAddresses(besides: listen + listenTLS + redirectFrom)
        }
        let origin = top.required("publicOrigin", expecting: "https:// and the public host") { value throws(SettingError) in
            try value.origin()
        }
        if origin?.scheme == "http", !(listenTLS + redirectFrom).isEmpty {
            top.note("listenTLS and redirectFrom require an https publicOrigin")
        }
        if listenTLS.isEmpty != (tls ?? []).isEmpty {
            top.note("listenTLS (addresses) and tls (certificates) belong together; expected both or neither")
        }
        let secret = top.required("secret", expecting: "the key env or file in it") { value throws(SettingError) in
            try value.secretSection { section throws(SettingError) in try section.secrets(environment) }
        }
        let database = top.required("database", expecting: "the key path or url in it") { value throws(SettingError) in
            try value.database(environment)
        }
        let resources = top.value("resources") { value throws(SettingError) in
            let folder = try value.text()
            if readsResources { try value.findings.readResources(named: folder) }
            return folder
        }
        if readsResources, !top.has("resources") {
            do throws(SettingError) { try top.findings.readResources(named: nil) } catch { top.note(error.sentence) }
        }
        let log = top.section("log") { log in LogOptions(log) }
        let proxies = top.value("trustedProxies") { list throws(SettingError) in
            TrustedProxies(
                ranges: try list.list { item throws(SettingError) in
                    let range = try item.addressRange()
                    guard !range.isEverything else {
                        throw SettingError("trusts every client to say which address it has; expected the addresses of your proxies")
                    }
                    return range
                })
        }
        let limits = top.section("limits") { limits in ServerOptions(limits) }
        let abuseLimits = top.section("abuseLimits") { limits in limits.abuseLimits() }
        let nodes = top.value("nodes") { value throws(SettingError) in try value.count(in: 1...1_000) }
        let issuer = top.value("idTokenIssuer") { value throws(SettingError) in try value.webURL().serialized.trimmingSuffix("/") }
        let codeRetention = top.value("codeRetention") { value throws(SettingError) in try value.span(in: .days(1) ... .days(365)) }
        let retention = top.value("auditRetention") { value throws(SettingError) in try value.retention() }
        let mail = top.value("mail") { value throws(SettingError) in try value.mail(origin: origin, environment) }
        let accountEvents = top.value("accountEvents") { value throws(SettingError) in
            try value.section { section throws(SettingError) in try section.accountEvents(environment) }
        }
        let projects = top.required("projects", expecting: "a list of one or more") { value throws(SettingError) in
            try value.projects(origin: origin, environment)
        }
        guard let origin, let secret, let database = database ?? nil, let projects else { return nil }
        var configuration = Configuration(listen: listen, publicOrigin: origin, database: database, projects: projects)
        configuration.server = limits ?? configuration.server
        configuration.listenTLS = listenTLS
        configuration.redirectFrom = redirectFrom
        configuration.tls = tls ?? configuration.tls
        if origin.scheme == "https" { configuration.server.strictTransport = .days(730) }
        configuration.adminListen = adminListen ?? configuration.adminListen
        configuration.secrets = secret.secrets
        configuration.secretFile = secret.file
        configuration.resources = resources
        configuration.views = top.findings.views
        configuration.log = log ?? configuration.log
        configuration.trustedProxies = proxies ?? configuration.trustedProxies
        configuration.abuseLimits = abuseLimits ?? configuration.abuseLimits
        configuration.nodes = nodes ?? configuration.nodes
        configuration.idTokenIssuer = issuer ?? origin.origin
        configuration.mail = mail
        configuration.accountEvents = accountEvents ?? nil
        if let codeRetention { configuration.codeRetention = codeRetention }
        if let retention { configuration.auditRetention = retention }
        return configuration
    }
}

extension LogOptions {
    /// The options of a configuration file, which may be unusable otherwise; those that cannot be
    /// read have their defaults.
    init(ofFile file: String) {
        self.init()
        guard let bytes = FileManager.default.contents(atPath: file),
            let log = (try? Yams.compose(yaml: String(decoding: bytes, as: UTF8.self)))?.mapping?["log"]?.mapping
        else { return }
        self = LogOptions(Section(log, path: "log", mark: nil, findings: ProblemCollector(file: file)))
    }

    fileprivate init(_ log: Section) {
        level = log.value("level") { value throws(SettingError) in try value.choice(of: Logger.Level.self) } ?? level
        format = log.value("format") { value throws(SettingError) in try value.choice(of: LogFormat.self) } ?? format
    }
}

extension ServerOptions {
    fileprivate init(_ section: Section) {
        self.init()
        func count(_ key: String, in range: ClosedRange<Int>, into target: inout Int) {
            target = section.value(key) { value throws(SettingError) in try value.count(in: range) } ?? target
        }
        func span(_ key: String, in range: ClosedRange<Duration>, into target: inout Duration) {
            target = section.value(key) { value throws(SettingError) in try value.span(in: range) } ?? target
        }
        count("maxConnections", in: 16...1_000_000, into: &maxConnections)
        count("maxHandshakes", in: 16...100_000, into: &maxHandshakes)
        count("maxBufferedBytes", in: 8_388_608...1_099_511_627_776, into: &maxBufferedBytes)
        count("maxBodyBytes", in: 4_096...16_777_216, into: &limits.maxBodyBytes)
        span("headerDeadline", in: .seconds(1)...(.minutes(5)), into: &deadlines.header)
        span("bodyDeadline", in: .seconds(1)...(.minutes(30)), into: &deadlines.bodyTotal)
        span("keepAlive", in: .seconds(1)...(.hours(1)), into: &deadlines.keepAlive)
        span("grace", in: .seconds(1)...(.minutes(10)), into: &grace)
    }
}
