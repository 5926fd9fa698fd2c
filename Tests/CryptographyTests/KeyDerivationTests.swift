import Cryptography
import Testing

@Suite struct `A derived key` {
    /// RFC 5869 appendix A, cases 1 to 3.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 22), Array(UInt8(0)...0x0c), Array(UInt8(0xf0)...0xf9), 42,
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            Array(UInt8(0)...0x4f), Array(UInt8(0x60)...0xaf), Array(UInt8(0xb0)...0xff), 82,
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8\
            367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            [UInt8](repeating: 0x0b, count: 22), [], [], 42,
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func `by HKDF is the published one`(_ secret: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ count: Int, _ expected: String) {
        #expect(hex(KeyDerivation.hkdfSHA256(SecretBytes(secret), salt: salt, info: info, count: count)) == expected)
    }

    @Test func `by HKDF begins with the shorter ones, up to its longest`() {
        func key(_ count: Int) -> String { hex(KeyDerivation.hkdfSHA256(SecretBytes(run("k", 32)), info: run("i", 9), count: count)) }
        for count in [1, 31, 32, 33, 64, 65, 255 * 32] { #expect(key(255 * 32).hasPrefix(key(count)) && key(count).count == 2 * count) }
    }

    /// RFC 7914 section 12, and two that need more than the 32 MiB that libcrypto allows by
    /// default: 64 and 256 MiB.
    @Test(arguments: [
        (
            "", "", 16, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 1024, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        ("password", "NaCl", 1 << 16, 8, 1, "d3f6d67c849d7313fa08dbd0b8f7b0e04288488ed1f8a18bf0d4f7ec5a0943ee"),
        ("password", "NaCl", 1 << 17, 16, 1, "3e521860377c7482ae8108d91919bb8466c3bb20198b9a2e7cffbe5c260c82ae"),
    ])
    func `by scrypt is the published one`(_ password: String, _ salt: String, _ n: Int, _ r: Int, _ p: Int, _ expected: String) throws {
        let key = try KeyDerivation.scrypt(
            Array(password.utf8), salt: Array(salt.utf8), n: n, r: r, p: p, count: expected.utf8.count / 2)
        #expect(hex(key) == expected)
    }

    @Test func `by scrypt is right for many lengths and costs`() throws {
        let made = try hashOfAll(100) {
            try KeyDerivation.scrypt(
                run("p", $0), salt: run("s", $0 * 3 % 70), n: 1 << ($0 % 5 + 1), r: $0 % 3 + 1, p: $0 % 4 + 1, count: $0 % 90 + 1
            ).withUnsafeBytes(Array.init)
        }
        #expect(made == KnownAnswers.all.scrypt)
    }

    @Test(arguments: [(1000, 8, 1), (1, 8, 1), (1 << 16, 1, 1), (16, 0, 1), (16, 1, 0)])
    func `by scrypt is refused with parameters out of range`(_ n: Int, _ r: Int, _ p: Int) {
        #expect(throws: OpenSSLError.self) { try KeyDerivation.scrypt([1], salt: [2], n: n, r: r, p: p, count: 32) }
    }

    /// RFC 6070 for SHA-1, RFC 7914 section 11 for SHA-256, and one with no password and no salt.
    @Test(arguments: [
        (HashFunction.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        (.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
        (.sha1, "pass\u{0}word", "sa\u{0}lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
        (
            .sha256, "passwd", "salt", 1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        ),
        (
            .sha256, "Password", "NaCl", 80000,
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
        ),
        (.sha256, "", "", 1, "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad"),
    ])
    func `by PBKDF2 is the published one`(_ function: HashFunction, _ password: String, _ salt: String, _ rounds: Int, _ expected: String)
        throws
    {
        let key = try KeyDerivation.pbkdf2(
            Array(password.utf8), salt: Array(salt.utf8), function, rounds: rounds, count: expected.utf8.count / 2)
        #expect(hex(key) == expected)
    }

    @Test(arguments: [HashFunction.sha1, .sha256])
    func `by PBKDF2 is right for many lengths`(_ function: HashFunction) throws {
        let made = try hashOfAll(200) {
            try KeyDerivation.pbkdf2(run("p", $0), salt: run("s", $0 * 3 % 70), function, rounds: $0 % 4 + 1, count: $0 % 90 + 1)
                .withUnsafeBytes(Array.init)
        }
        #expect(made == KnownAnswers.all.pbkdf2[function.name])
    }
}

@Suite struct `A bcrypt hash` {
    /// The hashes are those of Openwall's crypt_blowfish test.
    @Test(arguments: [
        ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
        ("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"),
        ("", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy"),
    ])
    func `matches its password and no other`(_ password: String, _ hash: String) throws {
        let hash = try #require(BcryptHash(Array(hash.utf8), maxCost: 14))
        #expect(hash.matches(password))
        #expect(!hash.matches(password + "x") && !hash.matches(password + "\u{0}"))
    }

    @Test(arguments: ["$2x$05$", "$2a$03$", "$2a$15$", "$2$05$", "$1$05$"])
    func `is refused with another prefix or a cost out of range`(_ prefix: String) {
        let text = prefix + "CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        #expect(BcryptHash(Array(text.utf8), maxCost: 14) == nil)
    }
}
