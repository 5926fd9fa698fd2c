import Testing
@testable import Cryptography

@Suite struct `A hash` {
    /// RFC 1321 appendix A.5 and NIST's examples for FIPS 180-4: no bytes, less than a block, two
    /// blocks.
    @Test(arguments: [
        (HashFunction.md5, "", "d41d8cd98f00b204e9800998ecf8427e"), (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .sha512, "abc",
            """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e\
            2a9ac94fa54ca49f
            """
        ),
    ])
    func `a hash equals the published one`(_ function: HashFunction, _ message: String, _ expected: String) {
        #expect(hex(function.hash(Array(message.utf8))) == expected)
    }

    @Test(arguments: HashFunction.allCases)
    func `a hash is right for every length around the blocks`(_ function: HashFunction) {
        #expect(hashOfAll(300) { function.hash(run("a", $0)) } == KnownAnswers.all.hashes[function.name])
    }

    /// A million letters a. Source: NIST's examples for FIPS 180-4.
    @Test(arguments: [
        (HashFunction.md5, "7707d6ae4e027c70eea2a935c2296f21"), (.sha1, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `a hash is right for a long message`(_ function: HashFunction, _ expected: String) {
        #expect(hex(function.hash(run("a", 1_000_000))) == expected)
    }
}

@Suite struct `An HMAC` {
    /// RFC 2202 and RFC 4231, case 2 (a key shorter than the hash) and case 6 (a key longer than a
    /// block).
    @Test(arguments: [
        (HashFunction.md5, "Jefe", "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738"),
        (.sha1, "Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (.sha256, "Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            .sha512, "Jefe", "what do ya want for nothing?",
            """
            164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b\
            636e070a38bce737
            """
        ),
    ])
    func `an HMAC equals the published one`(_ function: HashFunction, _ key: String, _ message: String, _ expected: String) {
        #expect(hex(HMACKey(Array(key.utf8), function).authenticate(Array(message.utf8))) == expected)
    }

    @Test func `an HMAC equals the published one for a key longer than a block`() {
        let key = HMACKey([UInt8](repeating: 0xaa, count: 131), .sha256)
        let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(hex(key.authenticate(message)) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test(arguments: HashFunction.allCases)
    func `an HMAC is right for every length of key and message around the blocks`(_ function: HashFunction) {
        let made = hashOfAll(300) { HMACKey(run("k", $0), function).authenticate(run("a", $0 * 7 % 150)) }
        #expect(made == KnownAnswers.all.authenticationCodes[function.name])
    }

    @Test func `an HMAC is the same from many threads at once`() async {
        let key = HMACKey(run("k", 32), .sha256)
        let expected = (0..<100).map { key.authenticate(run("a", $0)) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<20).allSatisfy { _ in (0..<100).map { key.authenticate(run("a", $0)) } == expected } }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}

@Suite struct `A comparison in constant time` {
    @Test func `a comparison in constant time finds equal bytes and every difference`() {
        let secret = Array(UInt8(0)..<32)
        #expect(ConstantTime.equal(secret, secret) && ConstantTime.equal([UInt8](), []))
        for index in secret.indices {
            for bit in 0..<8 {
                var other = secret
                other[index] ^= 1 << bit
                #expect(!ConstantTime.equal(secret, other) && SecretBytes(secret) != SecretBytes(other))
            }
            #expect(!ConstantTime.equal(secret, secret[..<index]) && SecretBytes(secret) != SecretBytes(secret[..<index]))
        }
        #expect(SecretBytes(secret) == SecretBytes(secret) && SecretBytes([UInt8]()) == SecretBytes([UInt8]()))
    }
}

@Suite struct `The OpenSSL library` {
    @Test func `the OpenSSL library offers every algorithm that is needed`() throws { try OpenSSL.requireAlgorithms() }

    @Test func `the OpenSSL library is named with what it lacks and what to do`() {
        let error = OpenSSL.MissingAlgorithms(names: ["MD5", "SCRYPT"])
        #expect(error.description.contains("does not offer MD5, SCRYPT") && error.description.contains("openssl.cnf"))
    }
}
