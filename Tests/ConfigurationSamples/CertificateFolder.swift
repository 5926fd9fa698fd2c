package import Configuration
import Foundation
import World

/// A folder with a certificate, its key, and what else a test puts there.
package final class CertificateFolder {
    package let path = FileManager.default.temporaryDirectory.appending(path: "onward-certificates-\(UUID().uuidString)").path
    package var files: CertificateFiles { CertificateFiles(certificate: path + "/certificate", privateKey: path + "/key") }

    package init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func renew(_ name: String, days: Int = 30) throws {
        let arguments =
            "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days \(days) -subj /CN=test "
            + "-addext subjectAltName=DNS:\(name) -keyout \(path)/key -out \(path)/certificate"
        _ = try Program.output(of: "/usr/bin/openssl", arguments.split(separator: " ").map(String.init))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/key")
    }

    /// Signs the certificate again, with an end in the past.
    package func expire() throws {
        let arguments = "x509 -in \(path)/certificate -signkey \(path)/key -days -1 -out \(path)/expired"
        _ = try Program.output(of: "/usr/bin/openssl", arguments.split(separator: " ").map(String.init))
        try Data(contentsOf: URL(filePath: path + "/expired")).write(to: URL(filePath: path + "/certificate"))
    }
}
