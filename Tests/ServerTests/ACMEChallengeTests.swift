import Base
import ConfigurationSamples
import Foundation
import HTTPTypes
import Testing
import World
@testable import Configuration
@testable import Server

@Suite struct `The answer to a certificate authority` {
    private let temporary: CertificateFolder
    private let redirect: HTTPSRedirect
    private var folder: String { temporary.path + "/acme" }

    init() throws {
        temporary = try CertificateFolder()
        let folder = temporary.path + "/acme"
        try FileManager.default.createDirectory(atPath: folder + "/.well-known/acme-challenge", withIntermediateDirectories: true)
        try "answer".write(toFile: folder + "/token_-9", atomically: true, encoding: .utf8)
        try "of certbot".write(toFile: folder + "/.well-known/acme-challenge/other", atomically: true, encoding: .utf8)
        redirect = HTTPSRedirect(
            try Configuration(sample: Configuration.sampleYAML + "\n    linkDomains: [links.example.com]\nacmeChallenges: \(folder)"))
    }

    private func ask(
        _ token: String, _ method: HTTPRequest.Method = .get, host: String = "auth.example.com", of redirect: HTTPSRedirect? = nil
    ) -> (status: Int, text: String) {
        let path = "/.well-known/acme-challenge/" + token
        let (response, body) = (redirect ?? self.redirect).answer(HTTPRequest(method: method, scheme: "http", authority: host, path: path))
        return (response.status.code, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: ["auth.example.com", "links.example.com:80"])
    func `the answer to a certificate authority is the file of its token, on each host`(host: String) {
        #expect(ask("token_-9", host: host) == (200, "answer"))
        #expect(ask("other", host: host) == (200, "of certbot"))
        #expect(ask("token_-9", .head, host: host).status == 200)
    }

    @Test func `the answer to a certificate authority is for no other host or method`() {
        #expect(ask("token_-9", host: "evil.example").status == 421)
        #expect(ask("token_-9", .post).status == 403)
    }

    @Test(arguments: [
        "", "unknown", "../acme/token_-9", "%2e%2e", ".well-known", "token_-9/", "token_-9?x", "token.9", "a/b", "tokén",
        String(repeating: "a", count: 300),
    ])
    func `no file is read for a path that is no token`(token: String) {
        #expect(ask(token).status == 404)
    }

    @Test func `a challenge is not answered by a link, a folder, a pipe or a large file`() throws {
        let secret = temporary.path + "/secret"
        try "secret".write(toFile: secret, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: folder + "/linked", withDestinationPath: secret)
        try FileManager.default.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: false)
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        try String(repeating: "a", count: 1_025).write(toFile: folder + "/large", atomically: true, encoding: .utf8)
        for name in ["linked", "folder", "pipe", "large"] { #expect(ask(name).status == 404, "\(name)") }
        // Nor does the way lead over one.
        let elsewhere = temporary.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: folder + "/.well-known", toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: folder + "/.well-known", withDestinationPath: elsewhere)
        #expect(ask("other").status == 404)
    }

    @Test func `no challenge is answered without a folder, and a missing folder is refused`() throws {
        let without = HTTPSRedirect(try Configuration(sample: Configuration.sampleYAML))
        #expect(ask("token_-9", of: without).status == 403)
        var wrong = try Configuration(sample: Configuration.sampleYAML)
        wrong.acmeChallenges = folder + "/none"
        let error = #expect(throws: SettingError.self) { _ = try LoadedResources(wrong, mode: .production) }
        #expect(error?.description.contains("\(folder)/none is not a folder") == true)
    }
}
