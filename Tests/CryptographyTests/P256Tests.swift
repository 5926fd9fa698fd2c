import Cryptography
import Testing

@Suite struct `A P-256 key` {
    /// Source: RFC 6979 section A.2.5, message "sample" with SHA-256.
    private static let der = bytes(
        """
        3059301306072a8648ce3d020106082a8648ce3d03010703420004
        60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
        """)
    private static let signature = bytes(
        """
        3046
        022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716
        022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
        """)
    private static let message = Array("sample".utf8)

    @Test func `verifies the signature of the standard's example`() throws {
        let key = try #require(P256PublicKey(der: Self.der))
        #expect(key.verifies(Self.signature, of: Self.message))
        #expect(!key.verifies(Self.signature, of: Array("Sample".utf8)) && !key.verifies(Self.signature, of: []))
    }

    @Test func `refuses a signature with any byte changed, cut or extended`() throws {
        let key = try #require(P256PublicKey(der: Self.der))
        for index in Self.signature.indices {
            var changed = Self.signature
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!key.verifies(changed, of: Self.message), "byte \(index)")
        }
        for wrong in [[], Array(Self.signature.dropLast()), Self.signature + [0], bytes("3006020100020100"), bytes("3006020101020101")] {
            #expect(!key.verifies(wrong, of: Self.message), "\(hex(wrong))")
        }
    }

    /// As JSON Web Keys and Signatures have them: coordinates, and two numbers of 32 bytes.
    @Test func `is read from its coordinates, and verifies raw signatures`() throws {
        let (x, y) = (Array(Self.der[27..<59]), Array(Self.der[59...]))
        let key = try #require(P256PublicKey(x: x, y: y))
        let raw = Array(Self.signature[5..<37] + Self.signature[40...])
        #expect(key.verifies(raw: raw, of: Self.message))
        #expect(!key.verifies(raw: raw, of: Array("Sample".utf8)))
        for wrong in [[], Array(raw.dropLast()), raw + [0], Self.signature, [UInt8](repeating: 0, count: 64)] {
            #expect(!key.verifies(raw: wrong, of: Self.message))
        }
        for index in raw.indices {
            var changed = raw
            changed[index] ^= 1
            #expect(!key.verifies(raw: changed, of: Self.message), "byte \(index)")
        }
        #expect(P256PublicKey(x: y, y: x) == nil && P256PublicKey(x: [0] + x, y: y) == nil && P256PublicKey(x: [], y: []) == nil)
    }

    /// A point that is not on the curve, another curve, a point without its envelope.
    @Test func `is refused if it is anything else`() throws {
        let p384 = bytes(
            """
            3076301006072a8648ce3d020106052b8104002203620004377071f9999b9325b5911e7bcdf9a9b84c768d8f195eaea8116cf67052dd027f
            44ee1d83ef5360e5d6343bc5d2e9c21a26ae5c6ead3aa61e05e98e25d7d3758e8656a43eba61e72e1c457eb00109e9a3512bf1f5ec57e423
            64bf5a16fc9c3deb
            """)
        var offCurve = Self.der
        offCurve[offCurve.count - 1] ^= 1
        for wrong in [[], Array(Self.der.dropLast()), Self.der + [0], offCurve, p384, Array(Self.der.dropFirst(26))] {
            #expect(P256PublicKey(der: wrong) == nil, "\(hex(wrong))")
        }
    }
}
