import Cryptography
import Testing

@Suite struct `A message sealed with ChaCha20-Poly1305` {
    private static let key = SecretBytes(UInt8(0)..<32)
    private let cipher = ChaCha20Poly1305(key: key)

    /// RFC 8439 section 2.8.2.
    @Test func `a message sealed with ChaCha20-Poly1305 equals the published one`() {
        let cipher = ChaCha20Poly1305(key: SecretBytes(UInt8(0x80)...0x9f))
        let plain = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
            """
        let (nonce, data) = (bytes("070000004041424344454647"), bytes("50515253c0c1c2c3c4c5c6c7"))
        let sealed = cipher.seal(SecretBytes(plain.utf8), nonce: nonce, authenticating: data)
        #expect(
            hex(sealed) == hex(nonce) + """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b29\
                05d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b\
                61161ae10b594f09e26a7e902ecbd0600691
                """)
        #expect(cipher.open(sealed, authenticating: data) == Array(plain.utf8))
        #expect(cipher.open(sealed) == nil)
    }

    @Test func `a message sealed with ChaCha20-Poly1305 is right for every length, with and without authenticated data`() {
        let made = hashOfAll(300) { count in
            let nonce = [UInt8(count & 255), UInt8(count >> 8)] + [UInt8](repeating: 9, count: 10)
            let data = run("d", count % 40)
            let sealed = cipher.seal(SecretBytes(run("a", count)), nonce: nonce, authenticating: data)
            #expect(cipher.open(sealed, authenticating: data) == run("a", count))
            return sealed
        }
        #expect(made == KnownAnswers.all.sealed)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000])
    func `a message sealed with ChaCha20-Poly1305 is not opened with any bit changed, shortened, lengthened or under another key`(
        _ count: Int
    ) {
        let sealed = cipher.seal(run("a", count))
        #expect(sealed.count == count + 28 && cipher.open(sealed) == run("a", count))
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(cipher.open(changed) == nil)
            }
        }
        for length in [0, 1, 11, 12, 27, 28, sealed.count - 1] where length < sealed.count {
            #expect(cipher.open(sealed.prefix(length)) == nil)
        }
        #expect(cipher.open(sealed + [0]) == nil && cipher.open(sealed.dropFirst()) == nil)
        #expect(ChaCha20Poly1305(key: SecretBytes(UInt8(1)..<33)).open(sealed) == nil)
    }

    @Test func `a message sealed with ChaCha20-Poly1305 has another nonce each time`() {
        #expect(Set((0..<1000).map { _ in Array(cipher.seal([1]).prefix(12)) }).count == 1000)
    }
}

@Suite struct `A message in AES-256 counter mode` {
    /// NIST SP 800-38A, F.5.5.
    @Test func `a message in AES-256 counter mode equals the published one`() {
        let key = SecretBytes(bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
        let plain = bytes(
            """
            6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17\
            ad2b417be66c3710
            """)
        let sealed = AES256CTR.encrypt(plain, key: key, counter: bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
        #expect(
            hex(sealed) == """
                601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988ddfc9c58db67aada6\
                13c2dd08457941a6
                """)
    }

    /// The counter starts at its largest value, so it overflows after the first block.
    @Test func `a message in AES-256 counter mode is right for every length and when the counter overflows`() {
        let made = hashOfAll(300) {
            AES256CTR.encrypt(run("a", $0), key: SecretBytes(UInt8(0)..<32), counter: [UInt8](repeating: 0xff, count: 16))
        }
        #expect(made == KnownAnswers.all.counterMode)
    }
}
