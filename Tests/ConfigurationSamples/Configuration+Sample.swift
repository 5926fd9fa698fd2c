package import Configuration
import Foundation

extension Configuration {
    /// A valid file with one project.
    package static let sampleYAML = """
        publicOrigin: https://auth.example.com
        secret:
          env: SECRET
        database:
          path: onward.sqlite
        projects:
          - id: one
            displayName: One
            apiKeys: [key-of-one]
            authorizedDomains: [one.example.com]
        """

    /// Reads a file with its secrets and certificates.
    package init(sample yaml: String, environment: [String: String] = ["SECRET": String(repeating: "s", count: 32)]) throws {
        try self.init(
            yaml: yaml, file: "onward.yaml", environment: { environment[$0] },
            certificates: CertificateCheck(unixSeconds: Int(Date().timeIntervalSince1970)))
    }

    /// Reads a file, and none of those that it names.
    package init(alone yaml: String) throws { try self.init(yaml: yaml, file: "onward.yaml", environment: nil) }
}
