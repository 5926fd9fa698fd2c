import Accounts
import HTTPTypes
import Testing
import Views
import World
@testable import Web

@Suite struct `The language of a page` {
    let visitor: Visitor
    let code: OobCode

    init() async throws {
        visitor = try await Visitor { $0.language = "de" }
        code = try await visitor.world.issue(.resetPassword)
    }

    func language(_ extra: String = "", accepting accepted: String? = nil) async -> String? {
        let headers: [HTTPField.Name: String] = accepted.map { [.acceptLanguage: $0] } ?? [:]
        let page = await visitor.open(code, .resetPassword, extra: extra, headers: headers)
        return page.text.firstMatch(of: #/<html lang="([^"]*)"/#).map { String($0.1) }
    }

    /// P8: the language of a page is one of those installed, and sets `lang` and `dir`.
    @Test(arguments: [
        ("", "fr;q=0.5, zh-Hant-HK;q=0.9", "zh-TW"), ("", "en-AU,en;q=0.8", "en-GB"), ("", "nb", "no"), ("", "es-MX, es", "es-419"),
        ("&lang=pt_BR", "fr", "pt-BR"), ("&lang=iw", "fr", "he"), ("&lang=zh-Hant-HK", "fr", "zh-TW"), ("&lang=tlh", "fr", "fr"),
        ("&lang=../../etc/passwd", "fr", "fr"), ("&lang=en%0d%0aX:%20y", "fr", "fr"), ("&lang=", "fr", "fr"),
        ("", "tlh, lb;q=0.5", "de"), ("", "*", "de"), ("", "fr;q=0", "de"),
    ])
    func `is that of its link, of the browser, or of the project`(extra: String, accepted: String, language: String) async {
        #expect(await self.language(extra, accepting: accepted) == language)
    }

    @Test func `is the project's for a browser without languages`() async { #expect(await language() == "de") }

    /// The page itself is not compressed (decision 15); its files are.
    @Test func `leaves a page and its files below twenty kilobytes as they are sent`() async throws {
        for language in visitor.site.actionPages.renderer.views.languages {
            let page = await visitor.open(code, .resetPassword, extra: "&lang=\(language.code)")
            var size = page.text.utf8.count
            let files = page.text.matches(of: #/(?:href|src)="(\/__\/auth\/assets\/[^"]*)"/#).map { String($0.1) }
            #expect(files.count == 3)
            for file in files {
                let head = HTTPRequest(
                    method: .get, scheme: "https", authority: "auth.example", path: file, headerFields: [.acceptEncoding: "gzip"])
                size += await visitor.site.respond(to: head, [], from: "192.0.2.7", through: .front).1.count
            }
            #expect((8_000..<20_000).contains(size), "\(language.code): \(size)")
        }
    }
}
