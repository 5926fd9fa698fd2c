import Foundation
import Testing

/// The form of the page behind a link, filled in and ready to be sent without a browser.
struct ActionForm: Sendable {
    let code: String
    let origin: String
    /// All fields, the page's token among them.
    let fields: [(String, String)]

    /// Opens the link and reads the form of its page.
    init(on link: String, password: String? = nil) async throws {
        let page = try await HTTP.send("GET", link).body
        let shown = try #require(page.firstMatch(of: #/(?s)<form method="post".*?</form>/#), "\(page)")
        let hidden = shown.0.matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)">/#)
        fields = hidden.map { (String($0.1), String($0.2)) } + (password.map { [("newPassword", $0)] } ?? [])
        code = try #require(fields.first { $0.0 == "oobCode" }?.1)
        origin = try #require(link.firstMatch(of: #/http://[^/]+/#).map { String($0.0) })
    }

    /// The whole request. `origin` is that of a server that listens at another port by now.
    func request(to origin: String? = nil) throws -> (port: UInt16, text: String) {
        try HTTP.request("POST", (origin ?? self.origin) + "/__/auth/action", headers: HTTP.formType, body: HTTP.encoded(fields))
    }
}
