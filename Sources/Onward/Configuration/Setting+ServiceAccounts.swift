import Accounts
import Cryptography
import Foundation
import Yams

extension Setting {
    /// The service accounts that may sign custom tokens. One with several keys is listed several
    /// times.
    func serviceAccounts() throws(SettingError) -> [ServiceAccount] {
        let accounts = try list { item throws(SettingError) in
            try item.section { account throws(SettingError) in account.serviceAccount() }
        }
        return accounts.compactMap(\.self)
    }
}

extension Section {
    fileprivate func serviceAccount() -> ServiceAccount? {
        let email = required("email", expecting: "the service account's e-mail address") { value throws(SettingError) in
            try value.text(matching: #/[^@\s]+@[^@\s]+/#, "the service account's e-mail address, as its tokens have it in iss")
        }
        let pem = required("publicKey", expecting: "a file with its public key or certificate, in PEM") { value throws(SettingError) in
            try value.pem()
        }
        guard let email, let pem else { return nil }
        return value("publicKey") { value throws(SettingError) in
            do throws(RSAPublicKey.Invalid) {
                return try ServiceAccount(email: email, pem: pem)
            } catch {
                throw SettingError(
                    "expected a PEM file with an RSA public key of 2048 bits or more, or its certificate; \(error.explanation)")
            }
        }
    }
}

extension Setting {
    fileprivate func pem() throws(SettingError) -> String {
        let path = try text()
        guard let bytes = FileManager.default.contents(atPath: path), let pem = String(bytes: bytes, encoding: .utf8) else {
            throw SettingError("the file \(path) cannot be read")
        }
        return pem
    }
}
