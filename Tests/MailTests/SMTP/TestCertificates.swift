import Foundation
import World

/// An authority and certificates of it, made by openssl in a folder that is removed with this
/// value.
final class TestCertificates: Sendable {
    /// The certificates for `localhost` but for the wrong name.
    enum Kind: String, Sendable, CaseIterable { case good, expired, wrongName, selfSigned }

    struct Failure: Error, CustomStringConvertible { let description: String }

    static let shared = Result { try TestCertificates() }

    private let folder: URL

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "onward-mail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256"
        try openssl("req -x509 \(key) -days 2 -subj /CN=Test-Authority -keyout ca.key -out ca.pem")
        for kind in Kind.allCases {
            let name = kind == .wrongName ? "relay.example" : "localhost"
            try Data("subjectAltName=DNS:\(name)\n".utf8).write(to: folder.appending(path: "\(kind).ext"))
            try openssl("req \(key) -subj /CN=\(name) -keyout \(kind).key -out \(kind).csr")
            let signer = kind == .selfSigned ? "-key \(kind).key" : "-CA ca.pem -CAkey ca.key -CAcreateserial"
            try openssl("x509 -req -in \(kind).csr \(signer) -days \(kind == .expired ? -1 : 2) -extfile \(kind).ext -out \(kind).pem")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var authority: String { folder.appending(path: "ca.pem").path }

    func certificate(_ kind: Kind) -> String { folder.appending(path: "\(kind).pem").path }
    func key(_ kind: Kind) -> String { folder.appending(path: "\(kind).key").path }

    /// The pin of a certificate's public key, as libcurl writes it.
    func pin(_ kind: Kind) throws -> String {
        try openssl("pkey -in \(kind).key -pubout -outform DER -out \(kind).der")
        try openssl("dgst -sha256 -binary -out \(kind).hash \(kind).der")
        return "sha256//" + (try Data(contentsOf: folder.appending(path: "\(kind).hash"))).base64EncodedString()
    }

    private func openssl(_ words: String) throws {
        let made = words.split(separator: " ").map(String.init).map { word in
            word.contains(".") && !word.hasPrefix("/") ? folder.appending(path: word).path : word
        }
        let output = try Program.output(of: try Program.path(to: "openssl"), made)
        if output.contains("rror") { throw Failure(description: "openssl \(words): \(output)") }
    }
}
