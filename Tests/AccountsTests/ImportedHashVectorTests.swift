import Accounts
import Foundation
import Testing
import Vectors

/// S4: all public vectors of the kinds that the Admin SDKs import.
@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `Public vectors of password hashes` {
    private let passwords = Imports.passwords

    private func decoded<Value: Decodable>(_ path: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Vectors.bytes("hash/\(path).json"))
    }

    private func expect(_ password: String, _ hash: [UInt8], salt: [UInt8], _ parameters: HashScheme.Parameters) async throws {
        let stored = try passwords.stored(hash, salt: salt, hashedBy: try HashScheme(parameters))
        #expect(try await passwords.verify(password, against: stored), "\(parameters), \(password)")
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
                Imports.parameters(
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

    /// One case is skipped, because its password is not UTF-8 and cannot be sent in JSON.
    @Test func `hold for bcrypt`() async throws {
        let vectors: Bcrypt = try decoded("bcrypt")
        var sent = 0
        for one in vectors.cases {
            guard let password = String(validating: one.password_b64, as: UTF8.self) else { continue }
            sent += 1
            try await expect(password, Array(one.hash.utf8), salt: [], Imports.parameters("BCRYPT"))
        }
        #expect(sent >= 8)
        for hash in vectors.must_refuse_or_not_hang {
            #expect(throws: ActionError.self, "\(hash)") {
                try passwords.stored(Array(hash.utf8), salt: [], hashedBy: try HashScheme(Imports.parameters("BCRYPT")))
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
                Imports.parameters("STANDARD_SCRYPT", [.cpuMemCost: one.N, .blockSize: one.r, .parallelization: one.p, .dkLen: dk.count]))
        }
        for one in vectors.firebase_import_hmac {
            try await expect(
                one.password, Array(one.hash), salt: Array(one.salt),
                Imports.parameters(one.hashAlgorithm, key: Array(one.signerKey), order: one.passwordHashOrder))
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

    /// Passwords that are not UTF-8 cannot be sent in JSON. Sixteen million rounds are above the
    /// limit (S5).
    @Test(arguments: [("sha1", "PBKDF_SHA1"), ("sha256", "PBKDF2_SHA256")])
    func `hold for PBKDF2`(_ file: String, _ algorithm: String) async throws {
        let vectors: Wycheproof = try decoded("wycheproof-pbkdf2_hmac\(file)_test")
        var sent = 0
        for one in vectors.testGroups.flatMap(\.tests) {
            let parameters = Imports.parameters(algorithm, [.rounds: one.iterationCount])
            guard let password = String(validating: Imports.bytes(hex: one.password), as: UTF8.self) else { continue }
            guard one.iterationCount <= 1_000_000 else {
                #expect(throws: ActionError.self) { try HashScheme(parameters) }
                continue
            }
            sent += 1
            try await expect(password, Imports.bytes(hex: one.dk), salt: Imports.bytes(hex: one.salt), parameters)
        }
        #expect(sent >= 43)
    }
}
