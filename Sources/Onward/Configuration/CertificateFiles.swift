import Foundation
import HTTPServer
import Yams

/// A certificate as the configuration names it: its files, which others renew while Onward runs.
struct CertificateFiles: Sendable, Hashable {
    /// The chain in PEM, the server's own first.
    let certificate: String
    /// In PEM.
    let privateKey: String

    /// An OCSP response in DER, shown along where it is there and says that the certificate is good.
    var staple: String { certificate + ".ocsp" }

    /// What tells whether a file is another one by now, or can be read as it could not before.
    struct Stamp: Equatable {
        let number, bytes, group, permissions: Int?
        let changed: Date?
    }

    var stamps: [Stamp?] {
        [certificate, privateKey, staple].map { path in
            let path = (path as NSString).resolvingSymlinksInPath
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            return Stamp(
                number: attributes[.systemFileNumber] as? Int, bytes: attributes[.size] as? Int,
                group: attributes[.groupOwnerAccountID] as? Int, permissions: attributes[.posixPermissions] as? Int,
                changed: attributes[.modificationDate] as? Date)
        }
    }

    /// Reads the files. Throws what is wrong with them, and with which (K3, K7).
    func identity(at unixSeconds: Int) throws(Fault) -> TLSIdentity {
        guard let chain = FileManager.default.contents(atPath: certificate) else { throw Fault("the file \(certificate) cannot be read") }
        let key = try Section.content(of: privateKey)
        do throws(TLSIdentity.Unusable) {
            let identity = try TLSIdentity(
                certificate: Array(chain), privateKey: Array(key.utf8),
                staple: FileManager.default.contents(atPath: staple).map { Array($0) },
                at: unixSeconds)
            // Also whether the key is strong enough, which only a context knows.
            _ = try TLSContext([identity])
            return identity
        } catch {
            let file =
                switch error.part {
                case .certificate: certificate
                case .privateKey: privateKey
                }
            throw Fault("\(file) \(error.cause)")
        }
    }
}

extension Setting {
    /// - Parameter unixSeconds: nil: the files are not looked at.
    func certificates(at unixSeconds: Int?) throws(Fault) -> [CertificateFiles] {
        try list { item throws(Fault) in
            try item.section { section throws(Fault) in
                let certificate = section.required("certificate", expecting: "a file") { value throws(Fault) in try value.text() }
                let privateKey = section.required("privateKey", expecting: "a file") { value throws(Fault) in try value.text() }
                let files = CertificateFiles(certificate: certificate ?? "", privateKey: privateKey ?? "")
                if let unixSeconds, certificate != nil, privateKey != nil {
                    do throws(Fault) { _ = try files.identity(at: unixSeconds) } catch { section.note(error.sentence) }
                }
                return files
            }
        }
    }
}
