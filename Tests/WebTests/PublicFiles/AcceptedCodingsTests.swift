import HTTPTypes
import Testing
@testable import Web

/// H15. Source: RFC 9110 section 12.5.3.
@Suite struct `The codings that a client accepts` {
    private func prefersGzip(_ lines: [String]) -> Bool {
        var fields: HTTPFields = [:]
        for line in lines { fields.append(HTTPField(name: .acceptEncoding, value: line)) }
        return AcceptedCodings(fields).prefersGzip
    }

    @Test(arguments: [
        "gzip", "GZip", "x-gzip", "gzip, deflate, br, zstd", "deflate,gzip", "br;q=1.0, gzip;q=0.8, *;q=0.1", "*", "gzip;q=0.001",
        "gzip; q=1", "gzip;Q=1.000", "gzip\t;\tq=0.5", " , ,gzip, ,", "identity;q=0, gzip;q=0.1", "identity;q=0, *",
        "identity;q=0.5, gzip;q=0.5",
        "identity;q=0, *;q=0.3", "gzip;q=0.4, *;q=0", "br;q=2, gzip", "br;level=4, gzip",
    ])
    func `include gzip`(_ line: String) { #expect(prefersGzip([line])) }

    @Test(arguments: [
        "", " ", ",", "identity", "deflate, br", "gzip;q=0", "gzip;q=0.0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "gzip;q=0.5, identity",
        "gzip;q=0.5, *", "gzip;q=0.2, identity;q=0.3", "identity;q=0", "identity;q=0, gzip;q=0", "gzip;q=0, gzip;q=1", "gzi", "gzipped",
        "gzip;q=", "gzip;q", "gzip;q=2", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=.5", "gzip;q=0,5,x", "gzip;q=0 .5",
        "gzip q=1",
        "gzip;q=½", "gzip;q=1;q=1", "\"gzip\"", "gzip/1", "ｇｚｉｐ",
    ])
    func `do not include gzip`(_ line: String) { #expect(!prefersGzip([line])) }

    @Test func `may be in several fields, or in none`() {
        #expect(prefersGzip(["br", "gzip"]))
        #expect(!prefersGzip(["gzip", "gzip;q=0"]))
        #expect(!prefersGzip([]))
    }

    /// X11: the cost is linear in the length.
    @Test func `are read in one pass`() {
        #expect(prefersGzip([String(repeating: "br;q=0.1,", count: 10_000) + "gzip"]))
        #expect(!prefersGzip([String(repeating: ",;", count: 10_000)]))
    }
}
