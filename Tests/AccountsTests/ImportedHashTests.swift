import Accounts
import Base
import Testing

/// S4: each kind as the Admin SDKs and production combine password, salt and rounds. The hashes are
/// Python's (hashlib, hmac, crypt, cryptography).
@Suite struct `An imported password hash` {
    struct Sample: Sendable, CustomTestStringConvertible {
        let parameters: HashScheme.Parameters
        let hash: [UInt8]
        var testDescription: String { "\(parameters.hashAlgorithm ?? "") \(parameters.numbers) \(parameters.passwordHashOrder ?? "")" }

        init(_ parameters: HashScheme.Parameters, _ hex: String) { (self.parameters, hash) = (parameters, Imports.bytes(hex: hex)) }
        init(_ parameters: HashScheme.Parameters, text: String) { (self.parameters, hash) = (parameters, Array(text.utf8)) }
    }

    static let password = "Grüße, Ada"
    static let salt = Array("pepper".utf8)
    static let hmacKey = Array("a signing key".utf8)
    static let samples = [
        Sample(
            Imports.parameters("SCRYPT", [.rounds: 2, .memoryCost: 4], key: Imports.signerKey, separator: [7]),
            "5803cc6b936c4097188fa223c0ed8e4c18040e61d707f90b16549dc2e8b80c4cc2ea4ac0b1a7e06644eeafd0811e44bdbbf9950268056637f8717f74ba91fb63"
        ),
        Sample(
            Imports.parameters("SCRYPT", [.rounds: 1, .memoryCost: 4], key: Imports.signerKey),
            "6f97ad7732033c9ef9fa162bd035612c166a60d1f161a338dbd899df78173bba0bfc60af20040af570fc64cdfdacc3812e2b3fa7ce26f4378451191bb2046d89"
        ),
        Sample(
            Imports.parameters("STANDARD_SCRYPT", [.cpuMemCost: 64, .blockSize: 2, .parallelization: 3, .dkLen: 24]),
            "6702eb7a9b9364a40dbd79bffe28f53de090ef4aa0b64329"),
        Sample(Imports.parameters("BCRYPT"), text: "$2a$04$abcdefghijklmnopqrstuuYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6"),
        Sample(Imports.parameters("BCRYPT"), text: "$2b$04$abcdefghijklmnopqrstuuYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6"),
        Sample(Imports.parameters("BCRYPT"), text: "$2y$04$abcdefghijklmnopqrstuuYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6"),
        // The same salt, with its unused bits set.
        Sample(Imports.parameters("BCRYPT"), text: "$2b$04$abcdefghijklmnopqrstuvYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6"),
        Sample(
            Imports.parameters("PBKDF2_SHA256", [.rounds: 1000]), "d6a03a5237041515d983ebbef42dc001c7812bbf348bba2b97c4900ebba7cb66"),
        Sample(Imports.parameters("PBKDF_SHA1", [.rounds: 1000]), "0f6ad3b70fee8d42113727f0cd85d541a8588bea"),
        Sample(Imports.parameters("HMAC_MD5", key: hmacKey), "17805dc58c47067eb657726f364c3466"),
        Sample(Imports.parameters("HMAC_SHA1", key: hmacKey), "86567e181aeff38a7c9a22bf682687031591cc31"),
        Sample(Imports.parameters("HMAC_SHA256", key: hmacKey), "92ead4e8f018abaa635e38473fa6ffe813c7baf76e07752bc131e8a3572c9124"),
        Sample(
            Imports.parameters("HMAC_SHA256", key: hmacKey, order: "SALT_AND_PASSWORD"),
            "eeb218d597eca5103d9106be1716490db1f2a5021ea965b148b047549cc269ae"),
        Sample(
            Imports.parameters("HMAC_SHA512", key: hmacKey),
            "b30414cd7c19250ba5a50b9440d1fb9b00b0624a216a3f77a0a1dbe0d77da6bdef472a21a7ed9d09aef367fe74bd484e2e5c847fadf3bf856b1ad20d4aeca595"
        ),
        Sample(Imports.parameters("MD5", [.rounds: 0]), text: "4ca3902a1d696b9c2357d8744784d934"),
        Sample(Imports.parameters("MD5", [.rounds: 1]), "4ca3902a1d696b9c2357d8744784d934"),
        Sample(Imports.parameters("MD5", [.rounds: 2]), "25d9856b462d58fe45c5e35e8ef915ba"),
        Sample(
            Imports.parameters("SHA1", [.rounds: 3], order: "PASSWORD_AND_SALT"), "d5c6bee3fc00439ace8db23e7aa3267413021da7"),
        Sample(Imports.parameters("SHA256", [.rounds: 1]), "dad6437f8acb4d8e6e0ac91f3839bb9b9ff521fa6ddfab1f61f74445d0dd0a77"),
        Sample(Imports.parameters("SHA256", [.rounds: 1]), text: "DAD6437F8ACB4D8E6E0AC91F3839BB9B9FF521FA6DDFAB1F61F74445D0DD0A77"),
        Sample(
            Imports.parameters("SHA512", [.rounds: 2], order: "SALT_AND_PASSWORD"),
            "29befcee7c1ef804d7167c02f7bc88e653f31bb828f85c573fa750d1db885cfb9dcaf06dbf694a8526215c1fc035ec7fa6ee10b5fcfed9cc9755ed0b8d0d0775"
        ),
    ]

    private let passwords = Imports.passwords

    private func store(_ sample: Sample) throws -> String {
        try passwords.stored(sample.hash, salt: Self.salt, hashedBy: try HashScheme(sample.parameters))
    }

    @Test(arguments: samples)
    func `matches its password and no other, and needs a rehash`(_ sample: Sample) async throws {
        let stored = try store(sample)
        #expect(try await passwords.verify(Self.password, against: stored))
        for other in ["", "Grüße, ada", "Grüße, Ada ", "pepper", "Gru\u{308}ße, Ada", "Grüße, Ada\u{0}x"] {
            #expect(try await !passwords.verify(other, against: stored), "\(other)")
        }
        #expect(passwords.needsRehash(stored, after: Self.password))
    }

    /// A copy of the database does not contain the key, and is of no use to another installation.
    @Test(arguments: samples.filter { $0.parameters.signerKey != nil })
    func `is stored with its signer key sealed`(_ sample: Sample) async throws {
        let stored = try store(sample)
        let key = try #require(sample.parameters.signerKey)
        #expect(!stored.contains(Base64URL.encode(key)))
        #expect(try store(sample) != stored)
        #expect(stored.split { "$,=".contains($0) }.allSatisfy { Base64URL.decode(String($0)).map { !$0.contains(key) } ?? true })
        let elsewhere = Imports.passwords(cost: .cheap, secrets: Secrets(root: [UInt8](repeating: 8, count: 32)))
        #expect(try await !elsewhere.verify(Self.password, against: stored))
    }

    /// S5: a change makes a stored hash unreadable, or the hash of another password.
    @Test(arguments: samples)
    func `matches nothing once it is damaged`(_ sample: Sample) async throws {
        let stored = Array(try store(sample))
        for index in stride(from: 0, to: stored.count, by: 7) {
            for spoiled in [stored[..<index] + stored[(index + 1)...], stored[..<index] + "x" + stored[index...]] {
                // An unreadable one needs no check; the others have another hash, salt or cost.
                guard passwords.needsRehash(String(spoiled), after: "") else { continue }
                #expect(try await !passwords.verify(Self.password, against: String(spoiled)), "\(String(spoiled))")
            }
        }
    }

    /// S5: the limits apply to stored hashes, too, and each has one spelling.
    @Test(arguments: [
        "$imported$BCRYPT$$$" + Base64URL.encode("$2b$15$abcdefghijklmnopqrstuuYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6".utf8),
        "$imported$BCRYPT$rounds=1$$" + Base64URL.encode("$2b$04$abcdefghijklmnopqrstuuYCnDyb5KuxV5wY75EjepvD/t2ZEkOp6".utf8),
        "$imported$STANDARD_SCRYPT$cpuMemCost=1073741824,parallelization=1,blockSize=8,dkLen=16$$AAAAAAAAAAAAAAAAAAAAAA",
        "$imported$PBKDF2_SHA256$rounds=2000000000$$AAAAAAAAAAAAAAAAAAAAAA",
        "$imported$SHA1$rounds=0$$AAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$imported$ROT13$$$AAAA", "$imported$$$$", "$imported$MD5$rounds=1,passwordHashOrder=SALT_AND_PASSWORD$",
        "$imported$" + String(repeating: "A", count: 1_000_000),
    ])
    func `matches nothing if it is not a valid stored hash`(_ stored: String) async throws {
        #expect(!passwords.needsRehash(stored, after: ""))
        #expect(try await !passwords.verify("", against: stored))
        #expect(try await !passwords.verify(Self.password, against: stored))
    }

    @Test(arguments: ["rounds=01", "rounds=+1", "rounds=1,rounds=1", "rounds=1,", ",rounds=1", "rounds=1,extra=1", "rounds=1,dkLen=16"])
    func `matches nothing in another spelling`(_ parameters: String) async throws {
        let order = "passwordHashOrder=SALT_AND_PASSWORD"
        let hash = Base64URL.encode(Imports.bytes(hex: "4ca3902a1d696b9c2357d8744784d934"))
        func stored(_ parameters: String) -> String { "$imported$MD5$\(parameters),\(order)$\(Base64URL.encode(Self.salt))$\(hash)" }
        #expect(try await passwords.verify(Self.password, against: stored("rounds=1")))
        #expect(try await !passwords.verify(Self.password, against: stored(parameters)))
    }

    /// S2: the part that bcrypt ignores is not compared, and is not made part of the password by a
    /// rehash either.
    @Test func `of bcrypt covers 72 bytes, and needs a rehash only if the password is not longer`() async throws {
        let whole = String(repeating: "x", count: 72)
        let bcrypt = Array("$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i".utf8)
        let stored = try passwords.stored(bcrypt, salt: [], hashedBy: try HashScheme(Imports.parameters("BCRYPT")))
        for tail in ["", "a", String(repeating: "y", count: 4000)] {
            #expect(try await passwords.verify(whole + tail, against: stored))
            #expect(passwords.needsRehash(stored, after: whole + tail) == tail.isEmpty)
        }
        #expect(try await !passwords.verify(String(whole.dropLast()), against: stored))
    }

    /// S2: C would end the text at NUL.
    @Test func `of bcrypt never matches a password that contains NUL`() async throws {
        let bcrypt = Array("$2b$04$abcdefghijklmnopqrstuupO9qBHchsLk3AKPI7B5JhJW.4g7duFS".utf8)
        let stored = try passwords.stored(bcrypt, salt: [], hashedBy: try HashScheme(Imports.parameters("BCRYPT")))
        #expect(try await passwords.verify("nul", against: stored))
        #expect(try await !passwords.verify("nul\u{0}", against: stored))
        #expect(try await !passwords.verify("nul\u{0}x", against: stored))
    }

    @Test func `of our own needs a rehash only if that makes it more expensive`() async throws {
        let stored = try await passwords.hash("a quiet long phrase")
        func needsRehash(_ logN: Int, _ r: Int, _ p: Int) -> Bool {
            Imports.passwords(cost: .init(logN: logN, r: r, p: p)).needsRehash(stored, after: "a quiet long phrase")
        }
        #expect(!needsRehash(10, 8, 1) && !needsRehash(9, 8, 1) && !needsRehash(9, 16, 1))
        #expect(needsRehash(11, 8, 1) && needsRehash(10, 9, 1) && needsRehash(10, 8, 2) && needsRehash(11, 8, 5))
    }
}
