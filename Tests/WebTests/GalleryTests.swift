import Base
import Foundation
import HTTPTypes
import Testing
import Views
@testable import Web

@Suite struct `The gallery` {
    private func ask(_ api: API, _ path: String) async -> (response: HTTPResponse, text: String) {
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "auth.example", path: path, headerFields: [.accept: "text/html"])
        let (response, body) = await api.site.respond(to: head, [], from: "::1", through: .front)
        return (response, String(decoding: body, as: UTF8.self))
    }

    @Test func `has a frame for each state of each part, which shows it in the chosen language`() async throws {
        let api = try await API()
        var states: Set<String> = []
        for part in DevGallery.Part.allCases {
            let page = await ask(api, "/emulator/gallery?part=\(part.rawValue)&lang=ar&scheme=dark&width=320").text
            let frames = page.matches(of: #/<iframe title="[^"]+" src="([^"]+)" width="320"/#).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            #expect(frames.count >= 5, "\(part)")
            for frame in frames where !frame.contains("-bare") {
                let (response, html) = await ask(api, frame)
                // The letters of this site are no documents.
                let isShown = part == .mails ? !html.isEmpty : html.contains("lang=\"ar\"") && html.contains("<h1")
                #expect(response.status == .ok && isShown, "\(frame)")
            }
            states.formUnion(frames)
        }
        #expect(states.count == Samples(at: Date()).pages.count + Samples(at: Date()).letters(in: "en").count)
    }

    @Test(arguments: [("light", "not all"), ("dark", "all")])
    func `shows the chosen colours whatever the browser prefers`(scheme: String, media: String) async throws {
        let api = try await API()
        let page = await ask(api, "/emulator/gallery/frame?state=confirm-verifyEmail&scheme=\(scheme)").text
        #expect(!page.contains("prefers-color-scheme") && page.contains("content=\"\(scheme)\""))
        let style = try #require(page.firstMatch(of: #/rel="stylesheet" href="(\/emulator\/gallery\/style\.css\?[^"]+)"/#)?.1)
        let sheet = await ask(api, String(style).replacing("&amp;", with: "&"))
        #expect(sheet.response.headerFields[HTTPField.Name.contentType] == "text/css; charset=utf-8")
        #expect(sheet.text.contains("@media \(media) {") && !sheet.text.contains("prefers-color-scheme"))
    }

    /// P3, P4: the frames can be shown by the gallery only, and do nothing.
    @Test func `has frames that only it may show, and that lead nowhere`() async throws {
        let (response, html) = await ask(try await API(), "/emulator/gallery/frame?state=done-resetPassword-soon")
        let policy = try #require(response.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'; ") && policy.contains("frame-ancestors 'self'; sandbox allow-same-origin"))
        #expect(!policy.contains("script-src") && html.contains("<base target=\"_blank\">"))
    }

    @Test(arguments: ["", "?state=nothing", "?state=mail-nothing", "?state=%3Cb%3E"]) func `has no other frames`(query: String) async throws
    {
        #expect(await ask(try await API(), "/emulator/gallery/frame\(query)").response.status == .notFound)
    }

    @Test func `is of development only`() async throws {
        let visitor = try await Visitor()
        for path in ["/emulator/gallery", "/emulator/gallery/frame?state=confirm-verifyEmail", "/emulator/gallery/style.css"] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "auth.example", path: path)
            #expect(await visitor.site.respond(to: head, [], from: "192.0.2.7", through: .front).0.status == .notFound)
        }
    }

    /// With its style and its script, each compressed.
    @Test func `has no page of more than 12 KB`() async throws {
        let (views, samples) = (try Visitor.views.get(), Samples(at: Date()))
        let brand = try views.brand(name: "Sunlit Notes")
        func size(_ bytes: [UInt8]) throws -> Int { try #require(Gzip.compressed(bytes)).count }
        let files = try brand.assets.prefix(2).map { try size($0.body) }.reduce(0, +)
        #expect(files > 5000)
        let greek = try #require(views.language(matching: "el"))
        for (name, content) in samples.pages {
            let page = Page(content, brand: brand, now: samples.now, languageSwitch: LanguageSwitch(form: samples.form))
            #expect(try size(views.html(page, in: greek)) + files <= 12_000, "\(name)")
        }
    }
}
