import Accounts
import Foundation
import Yams

extension Setting {
    /// Who may sign custom tokens. One that has several keys stands there several times.
    func serviceAccounts() throws(Fault) -> [ServiceAccount] {
        let accounts = try list { item throws(Fault) in
            try item.section { account throws(Fault) in account.serviceAccount() }
        }
        return accounts.compactMap(\.self)
    }
}

extension Section {
    fileprivate func serviceAccount() -> ServiceAccount? {
        let email = required("email", expecting: "the service account's e-mail address") { value throws(Fault) in
            try value.text(matching: #/[^@\s]+@[^@\s]+/#, "the service account's e-mail address, as its tokens have it in iss")
        }
        let pem = required("publicKey", expecting: "a file with its public key or certificate, in PEM") { value throws(Fault) in
            try value.pem()
        }
        guard let email, let pem else { return nil }
        return value("publicKey") { value throws(Fault) in
            do throws(ServiceAccount.Unusable) {
                return try ServiceAccount(email: email, pem: pem)
            } catch {
                throw Fault("expected a PEM file with an RSA public key of 2048 bits or more, or its certificate; \(error.explanation)")
            }
        }
    }
}

extension Setting {
    fileprivate func pem() throws(Fault) -> String {
        let path = try text()
        guard let bytes = FileManager.default.contents(atPath: path), let pem = String(bytes: bytes, encoding: .utf8) else {
            throw Fault("the file \(path) cannot be read")
        }
        return pem
    }
}
