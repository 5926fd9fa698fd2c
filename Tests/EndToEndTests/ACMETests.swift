import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// Certbot and an authority of the test's own, which asks names for the files that it writes.
    @Suite(.enabled(if: ACMEAuthority.isInstalled, "pebble or certbot is not installed; Scripts/test installs them"))
    struct `A certificate authority` {
        @Test func `gives a certificate that is used, and one that renews it`() async throws {
            let folder = try TemporaryFolder()
            let (plain, tls) = (try FrontDoor.freePort(), try FrontDoor.freePort())
            let challenges = folder.path + "/acme"
            try FileManager.default.createDirectory(atPath: challenges, withIntermediateDirectories: false)
            let authority = try await ACMEAuthority(in: folder, asking: plain)
            defer { authority.end() }
            let keys = "redirectFrom: [\"127.0.0.1:\(plain)\"]\nacmeChallenges: \(challenges)\n"
            var server = try await ProductionServer(in: folder, more: keys)
            defer { server.program.signal(SIGKILL) }
            let certificate = try await authority.certificate(for: ProductionServer.host, writingInto: challenges)
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)

            let files = "tls: [{certificate: \(certificate)/fullchain.pem, privateKey: \(certificate)/privkey.pem}]\n"
            server = try await ProductionServer(in: folder, more: keys + files + "listenTLS: [\"127.0.0.1:\(tls)\"]")
            let first = try authority.serial(at: "\(certificate)/fullchain.pem")
            #expect(try authority.serialShown(at: tls) == first)
            try await authority.renew()
            let second = try authority.serial(at: "\(certificate)/fullchain.pem")
            #expect(second != first)
            _ = try await eventually("the renewed certificate") { try authority.serialShown(at: tls) == second ? () : nil }
        }
    }
}

/// A running pebble, which asks at 127.0.0.1 for every name. Certbot has folders beside it.
private struct ACMEAuthority {
    static let isInstalled = ["pebble", "pebble-challtestsrv", "certbot"].allSatisfy { (try? Program.path(to: $0)) != nil }

    private let folder: String
    private let pebble, names: Program
    private let directory: String

    /// - Parameter port: the port at which names are asked for their challenges.
    init(in temporary: TemporaryFolder, asking port: UInt16) async throws {
        folder = temporary.path + "/authority"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let (api, management, dns) = (try FrontDoor.freePort(), try FrontDoor.freePort(), try FrontDoor.freePort())
        directory = "https://localhost:\(api)/dir"
        let request = [
            "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2", "-subj", "/CN=localhost",
        ]
        let files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"]
        _ = try Program.output(of: try Program.path(to: "openssl"), request + files)
        let configuration = """
            {"pebble": {"listenAddress": "127.0.0.1:\(api)", "managementListenAddress": "127.0.0.1:\(management)",
            "certificate": "\(folder)/cert.pem", "privateKey": "\(folder)/key.pem", "httpPort": \(port), "tlsPort": 1}}
            """
        try configuration.write(toFile: folder + "/pebble.json", atomically: true, encoding: .utf8)
        names = try Program(
            try Program.path(to: "pebble-challtestsrv"),
            [
                "-dns01", "127.0.0.1:\(dns)", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01",
                "", "-management", "",
            ])
        pebble = try Program(
            try Program.path(to: "pebble"), ["-config", folder + "/pebble.json", "-dnsserver", "127.0.0.1:\(dns)", "-strict"],
            environment: ["PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"])
        _ = try await pebble.first(#/(ACME directory available)/#)
    }

    func end() {
        for program in [pebble, names] { program.signal(SIGKILL) }
    }

    private func certbot(_ words: String...) async throws {
        let folders = ["--config-dir", folder + "/config", "--work-dir", folder + "/work", "--logs-dir", folder + "/logs"]
        let usual = ["--non-interactive", "--agree-tos", "--register-unsafely-without-email", "--server", directory]
        let program = try Program(
            try Program.path(to: "certbot"), words + folders + usual, environment: ["REQUESTS_CA_BUNDLE": folder + "/cert.pem"])
        _ = try await program.linesToEnd()
    }

    /// Asks for a certificate. Returns its folder.
    func certificate(for name: String, writingInto challenges: String) async throws -> String {
        try await certbot("certonly", "--webroot", "-w", challenges, "-d", name)
        return folder + "/config/live/" + name
    }

    func renew() async throws { try await certbot("renew", "--force-renewal", "--no-random-sleep-on-renew") }

    func serial(at file: String) throws -> String {
        try Program.output(of: try Program.path(to: "openssl"), ["x509", "-noout", "-serial", "-in", file])
    }

    func serialShown(at port: UInt16) throws -> String {
        let openssl = try Program.path(to: "openssl")
        let shown = try Program.output(
            of: openssl, ["s_client", "-connect", "127.0.0.1:\(port)", "-servername", ProductionServer.host], input: "")
        return try Program.output(of: openssl, ["x509", "-noout", "-serial"], input: shown)
    }
}
