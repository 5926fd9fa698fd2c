import Accounts
import Testing

@Suite struct `The secrets of an installation` {
    private let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let message = Array("a message".utf8)

    private func error(opening sealed: [UInt8], for purpose: Secrets.KeyPurpose = .mail) -> Secrets.OpenError? {
        do throws(Secrets.OpenError) {
            _ = try secrets.open(sealed, for: purpose)
            return nil
        } catch { return error }
    }

    @Test(arguments: [0, 1, 1000]) func `seal a message that they open again, each time differently`(_ count: Int) throws {
        let plain = [UInt8](repeating: 9, count: count)
        let sealed = secrets.seal(plain, for: .mail)
        #expect(try secrets.open(sealed, for: .mail) == plain)
        #expect(sealed != secrets.seal(plain, for: .mail))
    }

    /// The configured secret can be rotated, because every value says which secret it was made
    /// with.
    @Test func `begin every sealed value and digest with the number of the secret`() {
        #expect(Secrets.firstNumber == 1)
        for purpose in Secrets.KeyPurpose.allCases {
            let digest = secrets.digest(message, for: purpose).bytes
            #expect(digest.first == 1 && digest.count == Digest.byteCount)
            #expect(secrets.seal(message, for: purpose).first == 1)
            #expect(digest.dropFirst().elementsEqual(secrets.authenticationCode(of: message, for: purpose)))
        }
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `do not open or verify what begins with another number`(_ number: UInt8) {
        let sealed = [number] + secrets.seal(message, for: .mail).dropFirst()
        #expect(error(opening: sealed) == .damaged)
        let digest = [number] + secrets.digest(message, for: .formToken).bytes.dropFirst()
        #expect(!secrets.verifies(digest, of: message, for: .formToken))
    }

    @Test func `do not open what is damaged, cut, empty, or sealed for another purpose or with another secret`() {
        let sealed = secrets.seal(message, for: .mail)
        for index in sealed.indices.dropFirst() {
            var changed = sealed
            changed[index] ^= 1
            #expect(error(opening: changed) == .damaged)
            #expect(error(opening: Array(sealed[..<index])) == .damaged)
        }
        #expect(error(opening: []) == .damaged && error(opening: sealed + [0]) == .damaged)
        for purpose in Secrets.KeyPurpose.allCases where purpose != .mail { #expect(error(opening: sealed, for: purpose) == .damaged) }
        let others = Secrets(root: [UInt8](repeating: 8, count: 32))
        #expect(error(opening: others.seal(message, for: .mail)) == .damaged)
        #expect(
            others.fingerprint != secrets.fingerprint && others != secrets && Secrets(root: [UInt8](repeating: 7, count: 32)) == secrets)
    }

    /// Otherwise a damaged database would be called one of another secret, or the other way round.
    @Test func `blame an older secret only if there was one`() {
        var second = Secrets(root: [UInt8](repeating: 8, count: 32))
        let sealed = secrets.seal(message, for: .mail)
        #expect(throws: Secrets.OpenError.damaged) { try second.open(sealed, for: .mail) }
        second.hasPredecessor = true
        #expect(throws: Secrets.OpenError.damagedOrOlder) { try second.open(sealed, for: .mail) }
    }

    /// K8: the number says which of several secrets made a value.
    @Test func `open, verify and find what a former secret made`() throws {
        let second = Secrets(root: [UInt8](repeating: 8, count: 32)).numbered(2, former: [secrets])
        #expect(try second.open(secrets.seal(message, for: .mail), for: .mail) == message)
        #expect(second.verifies(secrets.digest(message, for: .formToken).bytes, of: message, for: .formToken))
        #expect(second.digest(message, for: .session).candidates.map(\.bytes.first) == [2, 1])
        #expect(second.digest(message, for: .session).candidates.last == secrets.digest(message, for: .session))
        let sealed = second.seal(message, for: .mail)
        #expect(sealed.first == 2 && error(opening: sealed) == .damaged)
        #expect(second.digest(message, for: .session).bytes.first == 2)
    }

    /// K10: what proves something, or is sealed, ends with the former secret.
    @Test func `keep of a former secret only the keys that find what is stored`() throws {
        let second = Secrets(root: [UInt8](repeating: 8, count: 32)).numbered(2, former: [])
        let finder = try #require(Secrets(digestKeys: secrets.sealedDigestKeys(by: second), by: second, number: 1))
        #expect(Secrets(digestKeys: secrets.sealedDigestKeys(by: second), by: secrets, number: 1) == nil)
        let after = second.numbered(2, former: [finder])
        #expect(!finder.opens && second.opens)
        var found: Set<Secrets.KeyPurpose> = []
        for purpose in Secrets.KeyPurpose.allCases {
            #expect(throws: Secrets.OpenError.self) { try after.open(secrets.seal(message, for: purpose), for: purpose) }
            let old = secrets.digest(message, for: purpose)
            #expect(!after.verifies(old.bytes, of: message, for: purpose))
            if after.digest(message, for: purpose).candidates.contains(old) { found.insert(purpose) }
        }
        #expect(
            found == [
                .code, .rowID, .confirmationNumber, .session, .adminKey, .recoveryCode, .knownNetwork, .recipient, .mailReport,
                .refreshToken, .verificationCode,
            ])
    }

    @Test func `verify a digest of the same message and purpose only`() {
        let digest = secrets.digest(message, for: .formToken).bytes
        #expect(secrets.verifies(digest, of: message, for: .formToken))
        #expect(!secrets.verifies(digest, of: message + [0], for: .formToken))
        #expect(!secrets.verifies(digest, of: message, for: .receipt))
        for index in digest.indices {
            var changed = digest
            changed[index] ^= 0x80
            #expect(!secrets.verifies(changed, of: message, for: .formToken))
            #expect(!secrets.verifies(Array(digest[..<index]), of: message, for: .formToken))
        }
    }
}
