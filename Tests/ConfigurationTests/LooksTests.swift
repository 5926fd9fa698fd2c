import Accounts
import Base
import Foundation
import Testing
@testable import Configuration

@Suite struct `The looks of a configuration` {
    private let root = FileManager.default.temporaryDirectory.appending(path: "onward-looks-\(UUID().uuidString)").path

    private func looks(_ yaml: String, of project: String? = nil, resources: String? = nil) throws -> Configuration.Looks {
        try FileManager.default.createDirectory(atPath: root + "/own/Public", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try Data("<svg/>".utf8).write(to: URL(filePath: root + "/own/Public/sun.svg"))
        try Data(yaml.replacing("ROOT", with: root).utf8).write(to: URL(filePath: root + "/onward.yaml"))
        return try Configuration.Looks(
            file: root + "/onward.yaml", project: project, resources: resources?.replacing("ROOT", with: root))
    }

    /// A laptop has no secret, key, database or relay of the server, nor its files.
    private static let real = """
        publicOrigin: https://accounts.example.com
        secret: {env: NOT_SET_ANYWHERE}
        database: {url: {file: /nowhere/url}}
        tls: [{certificate: /nowhere/c.pem, privateKey: /nowhere/k.pem}]
        mail: {from: a@example.com, relays: [{url: "smtps://u@relay.example", password: {file: /nowhere/p}}]}
        resources: ROOT/own
        projects:
          - {id: first, displayName: First, apiKeys: [first-key], authorizedDomains: []}
          - id: shop
            displayName: Shop
            serviceAccounts: [{email: a@b, publicKey: /nowhere/back-end.pem}]
            textMessages: {webhook: {url: "https://t.example", secret: {env: NOT_SET_ANYWHERE}}}
            language: de
            timeZone: Europe/Berlin
            homeURL: https://shop.example/
            lifetimes: {verifyEmail: 2h}
            passwords: {minimumLength: 12, requires: [numeric]}
            brand: {accent: "#b00020", logo: sun.svg, logoHasName: true, help: help@shop.example}
        """

    @Test func `are read without anything that a laptop lacks`() throws {
        let looks = try looks(Self.real, of: "shop")
        let project = looks.project
        #expect(looks.resources == root + "/own" && project.id.rawValue == "shop" && project.displayName == "Shop")
        #expect(project.language == "de" && project.timeZone == "Europe/Berlin")
        #expect(project.homeURL?.serialized == "https://shop.example/")
        #expect(project.appearance.accent == "#b00020" && project.appearance.logo == "sun.svg" && project.appearance.logoHasName)
        #expect(project.passwordPolicy.minimumLength == 12 && project.passwordPolicy.requires == [.numeric])
        #expect(project.lifetimes[.verifyEmail] == .seconds(7200))
        #expect(project.apiKeys.isEmpty && project.textMessages == nil && project.serviceAccounts.isEmpty)
        #expect(try self.looks(Self.real).project.displayName == "First")
    }

    @Test(arguments: [
        (
            "brand: {accent: \"#b00020\", logo: sun.svg", "brand: {accent: \"#ffffff\", logo: sun.svg",
            "the accent #ffffff has too little contrast"
        ),
        ("logo: sun.svg", "logo: moon.svg", "moon.svg: cannot be read"), ("language: de", "language: xx", "unknown language \"xx\""),
        ("displayName: Shop", "apiKeys: [x]", "displayName is missing"),
        ("id: shop", "id: store", "expected the project shop in projects; the file has first, store"),
        ("ROOT/own", "ROOT/nowhere", "has neither Config/templates"), ("    brand:", "    Brand:", "unknown key; did you mean brand?"),
        ("projects:", "projects: [", "not YAML"),
    ]) func `are refused with the key and what is wrong`(old: String, new: String, problem: String) throws {
        let error = try #require(throws: InvalidConfiguration.self) { try looks(Self.real.replacing(old, with: new), of: "shop") }
        #expect(error.problems.contains { "\($0.key ?? "") \($0.sentence)".contains(problem) }, "\(error.problems)")
    }

    @Test func `are those of the folder that is named, if one is`() throws {
        let elsewhere = Self.real.replacing("ROOT/own", with: "/nowhere/looks")
        #expect(try looks(elsewhere, of: "shop", resources: "ROOT/own").resources == root + "/own")
    }

    /// Firebase's minimum, which is the default there.
    @Test func `may have the passwords of another authority`() throws {
        let changed = Self.real.replacing(
            "passwords: {minimumLength: 12, requires: [numeric]}",
            with: "authority: https://identitytoolkit.googleapis.com")
        #expect(try looks(changed, of: "shop").project.passwordPolicy.minimumLength == 6)
    }

    @Test func `need a file`() {
        #expect(throws: InvalidConfiguration.self) { try Configuration.Looks(file: "/nowhere/onward.yaml") }
    }

    @Test func `have no logo for mails or dark pages without a logo`() throws {
        let changed = Self.real.replacing("logo: sun.svg, logoHasName: true", with: "logoDark: sun.svg, logoHasName: true")
        let error = try #require(throws: InvalidConfiguration.self) { try looks(changed, of: "shop") }
        #expect(error.problems.filter { $0.sentence == "requires brand.logo" }.count == 2)
        let mailed = Self.real.replacing("logoHasName: true", with: "logoMail: sun.svg")
        let refusal = try #require(throws: InvalidConfiguration.self) { try looks(mailed, of: "shop") }
        #expect(refusal.problems.contains { $0.sentence.contains("a logo for mails is a png or jpg file") })
    }
}
