import Testing

@testable import HTTPServer

/// K3.
@Suite struct `A certificate` {
    private func refusal(_ make: () throws -> some Any) -> TLSIdentity.Unusable? {
        do { _ = try make() } catch { return error as? TLSIdentity.Unusable }
        return nil
    }

    @Test func `is taken where nothing is wrong`() throws {
        let identity = try Certificates.identity(Certificates.b)
        #expect(identity.names == ["*.b.example.test"])
        let days = Double(identity.endsAt - Clock.unixSeconds) / 86_400
        #expect(days > 29 && days <= 30)
        let context = try TLSContext([identity])
        #expect(context.covers("x.B.example.test") && !context.covers("b.example.test"))
    }

    @Test func `is refused out of its time`() throws {
        let now = Clock.unixSeconds
        #expect(refusal { try Certificates.identity(Certificates.a, at: now + 31 * 86_400) }?.cause == "has expired")
        #expect(refusal { try Certificates.identity(Certificates.a, at: now - 86_400) }?.cause == "is not valid yet")
    }

    @Test func `is refused with another's key`() {
        for other in [Certificates.b, Certificates.rsa] {
            let files = Certificates.Files(certificate: Certificates.a.certificate, privateKey: other.privateKey)
            let refusal = refusal { try Certificates.identity(files) }
            #expect(refusal?.part == .privateKey && refusal?.cause == "is not the key of the certificate")
        }
    }

    @Test func `is refused where it cannot be read`() throws {
        let (a, noise) = (Certificates.a, Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8))
        for bytes in [[], noise, a.privateKey] {
            #expect(refusal { try Certificates.identity(.init(certificate: bytes, privateKey: a.privateKey)) }?.part == .certificate)
        }
        for bytes in [[], noise, a.certificate, Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n".utf8)] {
            #expect(refusal { try Certificates.identity(.init(certificate: a.certificate, privateKey: bytes)) }?.part == .privateKey)
        }
    }

    /// A renewed certificate finds its predecessor's staple beside it.
    @Test func `is shown without a staple that is no good for it`() throws {
        let a = Certificates.a
        let good = try Certificates.identity(a, staple: Certificates.staple(a))
        #expect(good.staple != nil && !good.leavesStapleOut)
        let revoked = try Certificates.staple(a, saying: "R\t400101000000Z\t250101000000Z")
        for staple in [[], [1, 2, 3], revoked, try Certificates.staple(Certificates.b)] {
            let identity = try Certificates.identity(a, staple: staple)
            #expect(identity.staple == nil && identity.leavesStapleOut)
        }
        #expect(try !Certificates.identity(a).leavesStapleOut)
    }

    @Test func `is refused before a chain that is not its own`() throws {
        let files = Certificates.Files(
            certificate: Certificates.a.certificate + Certificates.b.certificate, privateKey: Certificates.a.privateKey)
        #expect(refusal { try Certificates.identity(files) }?.cause == "is followed by one that did not issue it")
    }

    @Test func `is refused when its key is too weak`() throws {
        let weak = try Certificates.identity(Certificates.make("weak.example.test", .weak))
        #expect(refusal { try TLSContext([weak]) }?.cause.contains("too small") == true)
        #expect(refusal { try TLSContext([]) }?.cause == "is missing")
    }
}
