import Foundation
import Testing

/// The press of the button on the page behind a link, without a browser: the form, filled in and ready to be sent.
struct Press: Sendable {
    let code: String
    let origin: String
    /// All its fields, the page's token among them.
    let form: [(String, String)]

    /// Opens the link and takes the form from its page.
    init(on link: String, password: String? = nil) async throws {
        let page = try await HTTP.send("GET", link).body
        let shown = try #require(page.firstMatch(of: #/(?s)<form method="post".*?</form>/#), "\(page)")
        let hidden = shown.0.matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)">/#)
        form = hidden.map { (String($0.1), String($0.2)) } + (password.map { [("newPassword", $0)] } ?? [])
        code = try #require(form.first { $0.0 == "oobCode" }?.1)
        origin = try #require(link.firstMatch(of: #/http://[^/]+/#).map { String($0.0) })
    }

    /// The whole request, for a server that listens at another port now.
    func request(to origin: String? = nil) throws -> (port: UInt16, text: String) {
        try HTTP.request("POST", (origin ?? self.origin) + "/__/auth/action", headers: HTTP.formType, body: HTTP.encoded(form))
    }

}
