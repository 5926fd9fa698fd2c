import Accounts
import Base
import Foundation
import Testing
@testable import Configuration

@Suite struct `The configuration of text messages` {
    private func read(_ project: String) throws -> Configuration {
        let yaml = """
            publicOrigin: https://auth.example.com
            secret: {env: ONWARD_SECRET}
            database: {path: onward.sqlite}
            projects:
              - {id: shop, displayName: Shop, apiKeys: [shop-key-1], authorizedDomains: [], \(project)}
            """
        return try Configuration(yaml: yaml, file: "onward.yaml") { name in
            name == "TEXTS" ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" : String(repeating: "s", count: 40)
        }
    }

    private static let webhook = #"webhook: {url: "https://texts.example/x", secret: {env: TEXTS}}"#

    /// J7: fixed codes of test numbers are accepted only where the configuration lists them.
    @Test func `the configuration of text messages names a webhook, countries and test numbers`() throws {
        let texts = #"textMessages: {\#(Self.webhook), countries: ["+49"], testNumbers: {"+1 650-555-0100": "012345"}}"#
        let project = try #require(try read("signIn: {phone: true}, secondFactors: {phone: true}, \(texts)").projects.first)
        let settings = try #require(project.textMessages)
        #expect(project.signIn.phone && project.secondFactors.phone)
        #expect(settings.webhook?.url.serialized == "https://texts.example/x" && settings.callingCodes == ["+49"])
        #expect(settings.testCodes == [try #require(PhoneNumber("+16505550100")): "012345"])
        #expect(settings.reaches(try #require(PhoneNumber("+4915112345678"))))
        #expect(!settings.reaches(try #require(PhoneNumber("+447700900123"))))
    }

    @Test func `the configuration of text messages is off by default`() throws {
        let project = try #require(try read("language: de").projects.first)
        #expect(project.textMessages == nil && !project.signIn.phone && !project.secondFactors.phone)
    }

    @Test(arguments: [
        ("signIn: {phone: true}", "require textMessages"),
        ("secondFactors: {phone: true}", "require textMessages"),
        (#"textMessages: {countries: ["+49"]}"#, "webhook"),
        (#"textMessages: {\#(webhook)}"#, "countries"),
        (#"textMessages: {\#(webhook), countries: []}"#, "one or more"),
        (#"textMessages: {\#(webhook), countries: ["49"]}"#, "calling code"),
        (#"textMessages: {\#(webhook), countries: ["+0"]}"#, "calling code"),
        (#"textMessages: {webhook: {url: "http://texts.example/", secret: {env: TEXTS}}, countries: ["+49"]}"#, "https"),
        (#"textMessages: {webhook: {url: "https://texts.example/", secret: {env: ONWARD_SECRET}}, countries: ["+49"]}"#, "whsec_"),
        (#"textMessages: {\#(webhook), countries: ["+49"], testNumbers: {"5550100": "123456"}}"#, "E.164"),
        (#"textMessages: {\#(webhook), countries: ["+49"], testNumbers: {"+16505550100": "12345"}}"#, "six digits"),
    ])
    func `the configuration of text messages is refused with the reason`(_ project: String, _ reason: String) throws {
        let error = #expect(throws: InvalidConfiguration.self) { try read(project) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
