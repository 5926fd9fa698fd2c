import Base
import Foundation
public import HTTPServer

/// The files of a certificate in the configuration, which are renewed by another program.
public struct CertificateFiles: Sendable, Hashable {
    /// The file with the certificate chain in PEM, the server's certificate first.
    public let certificate: String
    /// The file with the private key in PEM.
    let privateKey: String

    public init(certificate: String, privateKey: String) { (self.certificate, self.privateKey) = (certificate, privateKey) }

    /// The optional file with an OCSP response in DER.
    public var ocspResponse: String { certificate + ".ocsp" }

    /// The attributes of a file that show whether its content or readability has changed. A link
    /// has those of the file that it leads to, so a changed link is noticed, too.
    public struct Stamp: Sendable, Equatable {
        let device, number, bytes, owner, group, mode: Int
        let modified: Date?

        /// Nil if there is no such file.
        init?(_ path: String) {
            guard let status = System.status(ofFile: path) else { return nil }
            (device, number, bytes) = (Int(status.st_dev), Int(status.st_ino), status.st_size)
            (owner, group, mode) = (Int(status.st_uid), Int(status.st_gid), Int(status.st_mode))
            modified = System.modificationDate(ofFile: path)
        }
    }

    public var stamps: [Stamp?] { [certificate, privateKey, ocspResponse].map(Stamp.init) }

    /// Reads the files; throws a sentence that names the file that cannot be used (K3, K7).
    /// - Parameter mayHaveExpired: whether the certificate is accepted after its end, too.
    public func identity(at unixSeconds: Int, mayHaveExpired: Bool = false) throws(SettingError) -> TLSIdentity {
        guard let chain = FileManager.default.contents(atPath: certificate) else {
            throw SettingError("the file \(certificate) cannot be read")
        }
        let key = try SecretFile.content(of: privateKey, mayBeSecret: false)
        do throws(TLSIdentity.LoadError) {
            let identity = try TLSIdentity(
                certificate: Array(chain), privateKey: Array(key.utf8),
                ocspResponse: FileManager.default.contents(atPath: ocspResponse).map { Array($0) },
                at: unixSeconds, mayHaveExpired: mayHaveExpired)
            // Creating a context also checks the strength of the key.
            _ = try TLSContext([identity])
            return identity
        } catch {
            let file =
                switch error.file {
                case .certificate: certificate
                case .privateKey: privateKey
                }
            throw SettingError("\(file) \(error.cause)")
        }
    }
}

/// The demands on the certificates of a configuration that a server is about to use.
public struct CertificateCheck: Sendable {
    /// The time at which they must be valid, since 1970.
    let unixSeconds: Int
    /// The files that the server has loaded already. Their certificates may have expired, so that
    /// everything else can be reloaded.
    let loaded: Set<CertificateFiles>

    public init(unixSeconds: Int, loaded: Set<CertificateFiles> = []) { (self.unixSeconds, self.loaded) = (unixSeconds, loaded) }
}

/// An item of the key `tls`.
struct CertificateSection: Section {
    var certificate, privateKey: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("certificate", \.certificate, .text).required("a file")
        ConfigurationKey("privateKey", \.privateKey, .text).required("a file")
    }

    func value(in setting: Setting) throws -> CertificateFiles? {
        guard let certificate, let privateKey else { return nil }
        let files = CertificateFiles(certificate: certificate, privateKey: privateKey)
        if let check = setting.context.certificates {
            _ = try files.identity(at: check.unixSeconds, mayHaveExpired: check.loaded.contains(files))
        }
        return files
    }
}
