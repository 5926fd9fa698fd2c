import Accounts
import AppLinks
import Base
import Foundation
import Server
import Mail
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Network

@Suite struct `The doctor` {
    /// A project with an app, whose installation and DNS are as they should be.
    private struct Patient {
        var configuration: Configuration
        var selectors = ["s1"]
        var responses: [String: Result<TransferResponse, TransferError>] = [:]
        var records: [String: [String]?] = [
            "mail.example.com": ["other", "v=spf1 include:relay.example ~all"], "_dmarc.mail.example.com": [],
            "_dmarc.example.com": ["v=DMARC1; p=none"], "s1._domainkey.mail.example.com": ["v=DKIM1; k=rsa; p=MII"],
        ]

        static let origin = "https://auth.example.com"
        static let apple = "https://links.example.com/.well-known/apple-app-site-association"
        static let android = "https://links.example.com/.well-known/assetlinks.json"
        static let passwords = origin + "/.well-known/apple-app-site-association"

        init() throws {
            var project = Project(
                id: ProjectID(rawValue: "shop"), displayName: "Shop", authorizedDomains: try AuthorizedDomains(["example.com"]),
                actionURL: try WebURL(Self.origin + "/__/auth/action"))
            project.linkDomains = [try LinkDomain("links.example.com")]
            project.apps = try RegisteredApps(
                apple: [try AppleApp(bundleID: "com.example.shop", teamID: "ABCDE12345")],
                android: [
                    try AndroidApp(
                        packageName: "com.example.shop",
                        sha256Fingerprints: [Array(repeating: "AB", count: 32).joined(separator: ":")])
                ])
            configuration = Configuration(
                listen: [], publicOrigin: try WebURL(Self.origin), database: .sqlite(path: "/nowhere/onward.sqlite"), projects: [project])
            configuration.mail = MailConfiguration(
                sender: MailSender(from: Mailbox(name: nil, address: try #require(EmailAddress("a@mail.example.com")))), delivery: .none)
            responses = [
                Self.origin + "/.well-known/jwks.json": .success(TransferResponse(status: 200, body: [])),
                Self.apple: .success(Self.json(AssociationFiles.appleAppSiteAssociation(for: project.apps))),
                Self.android: .success(Self.json(AssociationFiles.assetLinks(for: project.apps))),
                Self.passwords: .success(Self.json(AssociationFiles.appleAppSiteAssociation(for: project.apps, use: .passwords))),
                Self.origin + "/.well-known/assetlinks.json": .success(
                    Self.json(AssociationFiles.assetLinks(for: project.apps, use: .passwords))),
            ]
        }

        static func json(_ text: String, type: String? = "application/json") -> TransferResponse {
            TransferResponse(status: 200, fields: type.map { [.init("Content-Type", $0)] } ?? [], body: Array(text.utf8))
        }

        private var doctor: Doctor {
            let (responses, records) = (responses, records)
            return Doctor(
                configuration: configuration, selectors: selectors,
                get: { responses[$0] ?? .failure(TransferError(cause: "not asked for in this test: \($0)")) },
                textRecords: { records[$0] ?? [] }, now: { Timestamp(seconds: 1_800_000_000) })
        }

        /// The diagnoses, except for those of the machine, that are not ok.
        var complaints: [Diagnosis] {
            get async { (await doctor.origins() + doctor.apps() + doctor.mails()).filter { $0.severity != .ok } }
        }
    }

    @Test func `finds nothing wrong with a healthy installation`() async throws {
        #expect(try await Patient().complaints == [])
    }

    @Test(
        arguments: [
            (.failure(TransferError(cause: "SSL certificate problem")), "SSL certificate problem"),
            (.success(TransferResponse(status: 421, body: [])), "does not know this name"),
            (.success(TransferResponse(status: 301, body: [])), "redirects (status 301)"),
            (.success(TransferResponse(status: 404, body: [])), "status 404"),
            (.success(Patient.json("{}")), "another content"),
        ] as [(Result<TransferResponse, TransferError>, String)])
    func `says why a host does not answer as it should`(response: Result<TransferResponse, TransferError>, says: String) async throws {
        var patient = try Patient()
        patient.responses[Patient.apple] = response
        let found = await patient.complaints
        #expect(found.count == 1 && found[0].severity == .error && found[0].says.contains(says), "\(found)")
        #expect(found[0].subject == "link domain links.example.com/.well-known/apple-app-site-association" && found[0].remedy != nil)
    }

    /// The public origin shares passwords with the apps of the only project.
    @Test func `looks at webcredentials where there is one project with apps`() async throws {
        var patient = try Patient()
        patient.responses[Patient.passwords] = .success(TransferResponse(status: 404, body: []))
        let found = await patient.complaints
        #expect(found.map(\.subject) == ["origin https://auth.example.com/.well-known/apple-app-site-association"])
        #expect(found.map(\.severity) == [.error])

        patient.configuration.projects.append(patient.configuration.projects[0].renamed(ProjectID(rawValue: "blog")))
        patient.configuration.projects[1].linkDomains = []
        patient.configuration.projects[1].apps = .none
        #expect(await patient.complaints == [])
    }

    @Test func `says where no one can sign up, or be invited`() throws {
        var project = try Patient().configuration.projects[0]
        func found() -> Diagnosis.Severity? { Diagnosis(signUpsIn: project)?.severity }
        #expect(found() == nil)
        project.signUps = .byLink
        #expect(found() == nil)
        project.signIn.emailLink = false
        #expect(found() == .warning)
        project.signUps = .closed
        #expect(found() == nil)
        project.signIn.password = false
        #expect(found() == .warning)
        project.signIn.emailLink = true
        #expect(found() == .note)
    }

    @Test func `says which stored links lead nowhere`() async throws {
        let setup = try `Short links`.Setup()
        try await setup.createDatabase()
        for path in ["/a", "/b"] {
            let link = "https://links.example.com/?link=https://one.example.com\(path)"
            #expect(try await setup.run(LinksCommand.self, "create", link, "--path", path) == 0)
        }
        var configuration = try Configuration(file: setup.file("onward.yaml"), environment: nil)
        func found() async -> [Diagnosis] {
            await Doctor(
                configuration: configuration, selectors: [], get: { _ in .failure(TransferError(cause: "")) }, textRecords: { _ in nil },
                now: { Timestamp(seconds: 0) }
            )
            .shortLinks()
        }
        #expect(await found().map(\.severity) == [.ok])
        configuration.projects[0].authorizedDomains = try AuthorizedDomains(["other.example.com"])
        let refused = await found()
        #expect(refused.map(\.severity) == [.warning])
        #expect(refused.first?.says.hasPrefix("2 of 2 are refused, such as https://links.example.com/a: The parameter link") == true)
        for path in ["/a", "/b"] { #expect(try await setup.run(LinksCommand.self, "disable", "https://links.example.com" + path) == 0) }
        #expect(await found() == [])
    }

    @Test(arguments: [nil, "text/plain", "application/octet-stream"])
    func `looks at the type of the association files`(type: String?) async throws {
        var patient = try Patient()
        guard case .success(let right)? = patient.responses[Patient.android] else { throw TransferError(cause: "no file") }
        patient.responses[Patient.android] = .success(
            TransferResponse(status: 200, fields: type.map { [.init("Content-Type", $0)] } ?? [], body: right.body))
        let found = await patient.complaints
        #expect(found.map(\.severity) == [.error] && found[0].says.contains("instead of application/json"))
    }

    @Test(
        arguments: [
            ("mail.example.com", [], .error, "there is no record"), ("mail.example.com", nil, .warning, "no resolver answered"),
            ("mail.example.com", ["v=spf1 -all", "V=SPF1 ~all"], .error, "2 records"),
            ("mail.example.com", ["v=spf1 +all"], .warning, "every machine"), ("mail.example.com", ["v=spf10 -all"], .error, "no record"),
            ("_dmarc.example.com", [], .warning, "no policy"),
            ("_dmarc.example.com", ["v=DMARC1; p=none", "v = DMARC1;"], .error, "2 records"),
            ("s1._domainkey.mail.example.com", [], .error, "no key"),
            ("s1._domainkey.mail.example.com", ["v=DKIM1; p="], .error, "revoked"),
        ] as [(String, [String]?, Diagnosis.Severity, String)])
    func `says what receivers of mails miss in DNS`(
        name: String, records: [String]?, severity: Diagnosis.Severity, says: String
    ) async throws {
        var patient = try Patient()
        patient.records[name] = .some(records)
        let found = await patient.complaints
        #expect(found.map(\.severity) == [severity] && found[0].says.contains(says) && found[0].remedy != nil, "\(found)")
    }

    @Test func `asks for the selector of DKIM`() async throws {
        var patient = try Patient()
        patient.selectors = []
        #expect(await patient.complaints.map(\.severity) == [.note])
    }

    /// Another name of the same organisation is aligned. Source: RFC 7489 section 3.1.2.
    @Test(arguments: [("bounces@example.com", 0), ("bounces@relay.example", 1)])
    func `compares the envelope with the sender`(envelope: String, count: Int) async throws {
        var patient = try Patient()
        patient.records["example.com"] = ["v=spf1 -all"]
        patient.records["relay.example"] = ["v=spf1 -all"]
        patient.configuration.mail = MailConfiguration(
            sender: MailSender(
                from: Mailbox(name: nil, address: try #require(EmailAddress("a@mail.example.com"))),
                envelopeFrom: EmailAddress(envelope)), delivery: .none)
        #expect(await patient.complaints.count { $0.says.contains("only DKIM counts") } == count)
    }

    @Test func `says which settings of apps have no effect`() async throws {
        var patient = try Patient()
        let app = try AndroidApp(packageName: "com.example.shop", sha256Fingerprints: [])
        patient.configuration.projects[0].apps = try RegisteredApps(android: [app])
        patient.configuration.projects[0].linkDomains = []
        patient.configuration.projects[0].authorizedDomains = try AuthorizedDomains([])
        let says = await patient.complaints.map(\.says)
        for expected in ["no domain is authorised", "has apps and no link domain", "no certificate fingerprint"] {
            #expect(says.count { $0.contains(expected) } == 1, "\(expected)")
        }
        patient.configuration.projects[0].linkDomains = [try LinkDomain("auth.example.com")]
        patient.configuration.projects[0].apps = .none
        let others = await patient.complaints.map(\.says)
        #expect(others.contains { $0.contains("is publicOrigin, too") } && others.contains { $0.contains("has link domains and no apps") })
        patient.configuration.projects[0].actionURL = try WebURL("https://links.example.com/action")
        patient.configuration.projects[0].linkDomains = [try LinkDomain("links.example.com")]
        #expect(await patient.complaints.contains { $0.says.contains("is the host of actionURL, too") })
    }

    @Test func `says when apps differ in the form of their links`() async throws {
        var patient = try Patient()
        let (apple, android) = (patient.configuration.projects[0].apps.apple, patient.configuration.projects[0].apps.android)
        let app = try AndroidApp(
            packageName: "com.example.other", sha256Fingerprints: android[0].sha256Fingerprints, linkForm: .dynamicLinks)
        func notes(_ form: AppLink.LinkForm) async throws -> Int {
            let other = try AppleApp(bundleID: "com.example.other", teamID: "ABCDE12345", linkForm: form)
            patient.configuration.projects[0].apps = try RegisteredApps(apple: apple + [other], android: android + [app])
            return await patient.complaints.count { $0.severity == .note && $0.says.contains("linkForm differ") }
        }
        #expect(try await notes(.hosting) == 1)
        #expect(try await notes(.dynamicLinks) == 0)
    }

    @Test(arguments: [(100, .error), (500, .warning), (5_000, .ok)] as [(Int64, Diagnosis.Severity)])
    func `says when the disk is nearly full`(megabytes: Int64, severity: Diagnosis.Severity) {
        #expect(Diagnosis(diskOf: "/", free: megabytes << 20, size: 1 << 40).severity == severity)
    }

    @Test func `says when the clock runs freely, and when the secret is old`() {
        #expect(Doctor.synchronisation(isSynchronised: false).severity == .warning)
        #expect(Doctor.synchronisation(isSynchronised: true).severity == .ok)
        #expect(Doctor.secret(inFile: "s", age: .days(729)).severity == .ok)
        #expect(Doctor.secret(inFile: "s", age: .days(731)).severity == .note)
    }

    @Test func `tells its worst result by the exit status`() {
        #expect(Diagnosis.Severity.allCases.map(\.exitStatus) == [0, 0, 3, 1])
    }
}
