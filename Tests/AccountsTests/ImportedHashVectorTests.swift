import Accounts
import Foundation
import Testing
import Vectors

/// S4: all public vectors of the kinds that the Admin SDKs import.
@Suite(.enabled(if: Vectors.arePresent, "shared/data is not beside this clone")) struct `Public vectors of password hashes` {
    private let passwords = Imports.passwords

    private func decoded<Value: Decodable>(_ path: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Vectors.bytes("hash/\(path).json"))
    }

    private func expect(_ password: String, _ hash: [UInt8], salt: [UInt8], _ fields: HashScheme.Fields) async throws {
        let stored = try passwords.stored(hash, salt: salt, hashedBy: try HashScheme(fields))
        #expect(try await passwords.verify(password, against: stored), "\(fields), \(password)")
    }

    struct FirebaseScrypt: Decodable {
        struct Case: Decodable {
            let password_b64, salt, salt_separator, signer_key, hash: Data
            let rounds, mem_cost: Int
        }
        struct Malformed: Decodable { let why, string: String }
        let cases: [Case]
        let malformed_fbscrypt_strings: [Malformed]
    }

    @Test func `hold for Firebase's scrypt`() async throws {
        let vectors: FirebaseScrypt = try decoded("firebase-scrypt")
        #expect(vectors.cases.count >= 27)
        for one in vectors.cases {
            try await expect(
                String(decoding: one.password_b64, as: UTF8.self), Array(one.hash), salt: Array(one.salt),
                Imports.fields(
                    "SCRYPT", [.rounds: one.rounds, .memoryCost: one.mem_cost], key: Array(one.signer_key),
                    separator: Array(one.salt_separator)))
        }
        for one in vectors.malformed_fbscrypt_strings {
            #expect(try await !passwords.verify("mytestpassword", against: one.string), "\(one.why)")
        }
    }

    struct Bcrypt: Decodable {
        struct Case: Decodable {
            let password_b64: Data
            let hash: String
        }
        let cases: [Case]
        let must_refuse_or_not_hang: [String]
    }

    /// A password that is no UTF-8 cannot be sent to us: one case.
    @Test func `hold for bcrypt`() async throws {
        let vectors: Bcrypt = try decoded("bcrypt")
        var sent = 0
        for one in vectors.cases {
            guard let password = String(validating: one.password_b64, as: UTF8.self) else { continue }
            sent += 1
            try await expect(password, Array(one.hash.utf8), salt: [], Imports.fields("BCRYPT"))
        }
        #expect(sent >= 8)
        for hash in vectors.must_refuse_or_not_hang {
            #expect(throws: ActionError.self, "\(hash)") {
                try passwords.stored(Array(hash.utf8), salt: [], hashedBy: try HashScheme(Imports.fields("BCRYPT")))
            }
        }
    }

    struct Imported: Decodable {
        struct Scrypt: Decodable {
            let password, salt, dk: String
            let N, r, p: Int
        }
        struct HMAC: Decodable {
            let hashAlgorithm, passwordHashOrder, password: String
            let signerKey, salt, hash: Data
        }
        let rfc7914_scrypt: [Scrypt]
        let firebase_import_hmac: [HMAC]
    }

    @Test func `hold for scrypt and HMAC`() async throws {
        let vectors: Imported = try decoded("scrypt-std-and-import")
        for one in vectors.rfc7914_scrypt {
            let dk = Imports.bytes(hex: one.dk)
            try await expect(
                one.password, dk, salt: Array(one.salt.utf8),
                Imports.fields("STANDARD_SCRYPT", [.cpuMemCost: one.N, .blockSize: one.r, .parallelization: one.p, .dkLen: dk.count]))
        }
        for one in vectors.firebase_import_hmac {
            try await expect(
                one.password, Array(one.hash), salt: Array(one.salt),
                Imports.fields(one.hashAlgorithm, key: Array(one.signerKey), order: one.passwordHashOrder))
        }
        #expect(vectors.rfc7914_scrypt.count == 3 && vectors.firebase_import_hmac.count >= 8)
    }

    struct Wycheproof: Decodable {
        struct Group: Decodable { let tests: [Case] }
        struct Case: Decodable {
            let password, salt, dk: String
            let iterationCount: Int
        }
        let testGroups: [Group]
    }

    /// A password that is no UTF-8 cannot be sent to us; one with sixteen million rounds is above the ceiling (S5).
    @Test(arguments: [("sha1", "PBKDF_SHA1"), ("sha256", "PBKDF2_SHA256")])
    func `hold for PBKDF2`(_ file: String, _ algorithm: String) async throws {
        let vectors: Wycheproof = try decoded("wycheproof-pbkdf2_hmac\(file)_test")
        var sent = 0
        for one in vectors.testGroups.flatMap(\.tests) {
            let fields = Imports.fields(algorithm, [.rounds: one.iterationCount])
            guard let password = String(validating: Imports.bytes(hex: one.password), as: UTF8.self) else { continue }
            guard one.iterationCount <= 1_000_000 else {
                #expect(throws: ActionError.self) { try HashScheme(fields) }
                continue
            }
            sent += 1
            try await expect(password, Imports.bytes(hex: one.dk), salt: Imports.bytes(hex: one.salt), fields)
        }
        #expect(sent >= 43)
    }
}
