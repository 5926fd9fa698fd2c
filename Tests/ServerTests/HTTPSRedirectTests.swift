import ConfigurationSamples
import HTTPTypes
import Testing
import World
@testable import Configuration
@testable import Server

/// K4: plain HTTP on `redirectFrom` redirects pages and refuses the API. L1: the origin of a
/// generated link comes from the configuration, never from a request. L2: a request for a host that
/// is not configured is refused with 421.
@Suite struct `The https redirect` {
    let redirect: HTTPSRedirect

    init() throws {
        redirect = HTTPSRedirect(
            try Configuration(sample: Configuration.sampleYAML + "\n    linkDomains: [links.example.com, \"localhost:9000\"]"))
    }

    private func answer(_ method: HTTPRequest.Method, _ host: String?, _ path: String) -> HTTPResponse {
        redirect.answer(HTTPRequest(method: method, scheme: "http", authority: host, path: path)).0
    }

    @Test(arguments: [
        ("auth.example.com", "/", "https://auth.example.com/"),
        ("AUTH.example.com:80", "/__/auth/action?mode=a&oobCode=b", "https://auth.example.com/__/auth/action?mode=a&oobCode=b"),
        ("auth.example.com:8081", "/?x", "https://auth.example.com/?x"),
        ("auth.example.com", "/.well-known/change-password", "https://auth.example.com/.well-known/change-password"),
        ("links.example.com", "/short", "https://links.example.com/short"),
        ("links.example.com:80", "/?link=https://a", "https://links.example.com/?link=https://a"),
        ("links.example.com", "//evil.example", "https://links.example.com//evil.example"),
    ])
    func `redirects pages to the same path by https`(host: String, path: String, location: String) {
        for method in [HTTPRequest.Method.get, .head] {
            let response = answer(method, host, path)
            #expect(response.status == .movedPermanently)
            #expect(response.headerFields[.location] == location)
            #expect(response.headerFields[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: ["/v1/accounts:lookup?key=k", "/identitytoolkit.googleapis.com/v1/projects", "/v1/token", "/metrics", "*"])
    func `refuses the API`(path: String) {
        for method in [HTTPRequest.Method.get, .post, .options] {
            #expect(answer(method, "auth.example.com", path).status == .forbidden)
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, .options]) func `refuses methods other than GET and HEAD`(
        method: HTTPRequest.Method
    ) {
        for (host, path) in [("auth.example.com", "/__/auth/action"), ("links.example.com", "/short"), ("auth.example.com", "/healthz")] {
            let response = answer(method, host, path)
            #expect(response.status == .forbidden && response.headerFields[.location] == nil)
        }
    }

    @Test(arguments: ["evil.example", "", nil, "auth.example.com.evil.example", "[::1]", "localhost:9000", "x:auth.example.com"])
    func `does not redirect to a host that is not configured`(host: String?) {
        let response = answer(.get, host, "/__/auth/action")
        #expect(response.status == .misdirectedRequest && response.headerFields[.location] == nil)
    }

    @Test func `responds to /healthz`() { #expect(answer(.get, "10.0.0.1:80", "/healthz").status == .ok) }
}
