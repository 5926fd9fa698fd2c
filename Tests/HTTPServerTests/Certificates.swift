import Foundation

@testable import HTTPServer

/// Certificates of a test's own, made by the openssl command once for the whole run.
enum Certificates {
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

    /// Self-signed, for a name, valid from now for some days.
    static func make(_ name: String, _ kind: Kind = .ecdsa, days: Int = 30) throws -> Files {
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-tls-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let arguments =
            "req -x509 -nodes -newkey \(kind.rawValue) -days \(days) -subj /CN=test -addext subjectAltName=DNS:\(name) "
            + "-keyout \(folder)/key -out \(folder)/certificate"
        _ = try run(arguments.split(separator: " ").map(String.init))
        return Files(
            certificate: Array(try Data(contentsOf: URL(filePath: folder + "/certificate"))),
            privateKey: Array(try Data(contentsOf: URL(filePath: folder + "/key"))))
    }

    /// What `openssl` says on both of its outputs, given `input` to read.
    static func run(_ arguments: [String], input: String? = nil) throws -> String {
        let process = Process()
        let (said, given) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        (process.standardOutput, process.standardError, process.standardInput) = (said, said, given)
        try process.run()
        if let input { try given.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try given.fileHandleForWriting.close()
        let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    static func identity(_ files: Files, staple: [UInt8]? = nil, at seconds: Int = Clock.unixSeconds) throws -> TLSIdentity {
        try TLSIdentity(certificate: files.certificate, privateKey: files.privateKey, staple: staple, at: seconds)
    }

    static func context(_ files: Files...) throws -> TLSContext { try TLSContext(files.map { try identity($0) }) }
}
