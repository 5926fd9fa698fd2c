import Foundation
import World
@testable import HTTPServer

/// Certificates for tests, made by the openssl command once for the whole run.
enum TestCertificates {
    struct Files: Sendable {
        let certificate: [UInt8]
        let privateKey: [UInt8]
    }

    enum Kind: String, CaseIterable {
        case ecdsa = "ec -pkeyopt ec_paramgen_curve:P-256"
        case rsa = "rsa:2048"
        case weak = "rsa:1024"
    }

    static let a = try! make("a.example.test", .ecdsa)
    static let b = try! make("*.b.example.test", .ecdsa)
    static let rsa = try! make("a.example.test", .rsa)

    /// Makes a self-signed certificate for a name, valid from now.
    static func make(_ name: String, _ kind: Kind = .ecdsa, days: Int = 30) throws -> Files {
        let folder = try Folder()
        let arguments =
            "req -x509 -nodes -newkey \(kind.rawValue) -days \(days) -subj /CN=test -addext subjectAltName=DNS:\(name) "
            + "-keyout \(folder)/key -out \(folder)/certificate"
        _ = try run(arguments.split(separator: " ").map(String.init))
        return Files(certificate: try folder.read("certificate"), privateKey: try folder.read("key"))
    }

    /// Makes an OCSP response for a certificate, signed by its own key.
    static func ocspResponse(_ files: Files, saying status: String = "V\t400101000000Z\t") throws -> [UInt8] {
        let folder = try Folder()
        try folder.write(files.certificate, as: "certificate")
        try folder.write(files.privateKey, as: "key")
        let number = try run(["x509", "-in", "\(folder)/certificate", "-noout", "-serial"]).trimmingCharacters(in: .newlines).dropFirst(7)
        try folder.write(Array("\(status)\t\(number)\tunknown\t/CN=test\n".utf8), as: "index")
        let arguments = [
            "-issuer \(folder)/certificate -cert \(folder)/certificate -no_nonce -reqout \(folder)/request",
            "-index \(folder)/index -CA \(folder)/certificate -rsigner \(folder)/certificate -rkey \(folder)/key -reqin \(folder)/request "
                + "-respout \(folder)/response -ndays 7",
        ]
        for arguments in arguments { _ = try run(["ocsp"] + arguments.split(separator: " ").map(String.init)) }
        return try folder.read("response")
    }

    /// A temporary folder, removed when it is released.
    private final class Folder: CustomStringConvertible {
        let description = FileManager.default.temporaryDirectory.appending(path: "onward-tls-\(UUID().uuidString)").path

        init() throws { try FileManager.default.createDirectory(atPath: description, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: description) }

        func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(self)/\(name)"))) }
        func write(_ bytes: [UInt8], as name: String) throws { try Data(bytes).write(to: URL(filePath: "\(self)/\(name)")) }
    }

    /// Runs `openssl` and returns its standard output and error.
    static func run(_ arguments: [String], input: String? = nil) throws -> String {
        try Program.output(of: "/usr/bin/openssl", arguments, input: input)
    }

    static func identity(_ files: Files, ocspResponse: [UInt8]? = nil, at seconds: Int = Clock.unixSeconds) throws -> TLSIdentity {
        try TLSIdentity(certificate: files.certificate, privateKey: files.privateKey, ocspResponse: ocspResponse, at: seconds)
    }

    static func context(_ files: Files...) throws -> TLSContext { try TLSContext(files.map { try identity($0) }) }
}
