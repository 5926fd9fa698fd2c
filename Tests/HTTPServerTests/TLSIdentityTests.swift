import Testing
@testable import HTTPServer

/// K3: a bad certificate or key is refused.
@Suite struct `A certificate` {
    private func loadError(_ make: () throws -> some Any) -> TLSIdentity.LoadError? {
        do { _ = try make() } catch { return error as? TLSIdentity.LoadError }
        return nil
    }

    @Test func `is accepted with its key and chain`() throws {
        let identity = try TestCertificates.identity(TestCertificates.b)
        #expect(identity.names == ["*.b.example.test"])
        let days = Double(identity.expiresAt - Clock.unixSeconds) / 86_400
        #expect(days > 29 && days <= 30)
        let context = try TLSContext([identity])
        #expect(context.covers("x.B.example.test") && !context.covers("b.example.test"))
    }

    @Test func `is refused before and after its validity`() throws {
        let now = Clock.unixSeconds
        #expect(loadError { try TestCertificates.identity(TestCertificates.a, at: now + 31 * 86_400) }?.cause == "has expired")
        #expect(loadError { try TestCertificates.identity(TestCertificates.a, at: now - 86_400) }?.cause == "is not valid yet")
    }

    @Test func `is refused with the private key of another certificate`() {
        for other in [TestCertificates.b, TestCertificates.rsa] {
            let files = TestCertificates.Files(certificate: TestCertificates.a.certificate, privateKey: other.privateKey)
            let error = loadError { try TestCertificates.identity(files) }
            #expect(error?.file == .privateKey && error?.cause == "is not the private key of the certificate")
        }
    }

    @Test func `is refused when a file is not the expected PEM`() throws {
        let (a, noise) = (TestCertificates.a, Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8))
        for bytes in [[], noise, a.privateKey] {
            #expect(loadError { try TestCertificates.identity(.init(certificate: bytes, privateKey: a.privateKey)) }?.file == .certificate)
        }
        for bytes in [[], noise, a.certificate, Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n".utf8)] {
            #expect(loadError { try TestCertificates.identity(.init(certificate: a.certificate, privateKey: bytes)) }?.file == .privateKey)
        }
    }

    /// After a renewal, the file still has the response for the previous certificate.
    @Test func `is used without an OCSP response that is not valid for it`() throws {
        let a = TestCertificates.a
        let good = try TestCertificates.identity(a, ocspResponse: TestCertificates.ocspResponse(a))
        #expect(good.ocspResponse != nil && !good.omitsOCSPResponse)
        let revoked = try TestCertificates.ocspResponse(a, saying: "R\t400101000000Z\t250101000000Z")
        for ocspResponse in [[], [1, 2, 3], revoked, try TestCertificates.ocspResponse(TestCertificates.b)] {
            let identity = try TestCertificates.identity(a, ocspResponse: ocspResponse)
            #expect(identity.ocspResponse == nil && identity.omitsOCSPResponse)
        }
        #expect(try !TestCertificates.identity(a).omitsOCSPResponse)
    }

    @Test func `is refused with the chain of another certificate`() throws {
        let files = TestCertificates.Files(
            certificate: TestCertificates.a.certificate + TestCertificates.b.certificate, privateKey: TestCertificates.a.privateKey)
        #expect(loadError { try TestCertificates.identity(files) }?.cause == "is followed by a certificate that did not issue it")
    }

    @Test func `is refused when its key is too weak`() throws {
        let weak = try TestCertificates.identity(TestCertificates.make("weak.example.test", .weak))
        #expect(loadError { try TLSContext([weak]) }?.cause.contains("too small") == true)
        #expect(loadError { try TLSContext([]) }?.cause == "is missing")
    }
}
