import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// Chrome on Android, which tells a page the installed version of its app; here a script does.
    @Suite struct `An app that is too old` {
        let browser: Browser

        init() throws { browser = try BrowserEnvironment.current().user(hasScripts: true).browser }

        /// The hosts or schemes of the buttons on the page of a link, once its script has looked at
        /// the installed version.
        private func ways(minimum: Int, installed version: String, at server: AppServer, more: String = "") async throws -> [String] {
            let installed =
                #"window.asked = false; navigator.getInstalledRelatedApps = async () => { window.asked = true; return "#
                + #"[{platform: "play", id: "com.example.other", version: "1.0"}, {platform: "play", id: "com.example.shop", version: "\#(version)"}] }"#
            let script = try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .text(installed)])
            try await browser.open(server.linkOrigin + "/?link=http%3A%2F%2Flocalhost%2Fx&apn=com.example.shop&amv=\(minimum)" + more)
            let manifest = try await browser.devTools("Page.getAppManifest")
            let ways = try await browser.run(
                "return [...document.querySelectorAll('main a.button, .other a')].map((a) => `${a.className} ${a.protocol.startsWith('http') ? a.hostname : a.protocol}`)"
            ).texts
            let asked = try await browser.run("return window.asked")
            try await browser.devTools("Page.removeScriptToEvaluateOnNewDocument", ["identifier": script["identifier"]])
            #expect((asked == true) == (minimum > 100))
            #expect((manifest["data"].text?.contains("com.example.shop") == true) == (minimum > 100), "\(manifest)")
            return ways
        }

        @Test func `is updated instead of opened`() async throws {
            let folder = try TemporaryFolder()
            let server = try await AppServer(in: folder)
            let agent = try #require(`A phone without the app`.agents["Android"])
            try await browser.pretend(agent: agent)
            let usual = ["button intent:", " play.google.com", " localhost"]
            let failure: (any Error)?
            do {
                _ = try await browser.complaints()
                #expect(try await ways(minimum: 110, installed: "1.0", at: server) == ["button play.google.com", " localhost"])
                #expect(try await ways(minimum: 110, installed: "1.1", at: server) == usual)
                #expect(try await ways(minimum: 110, installed: "9.9", at: server) == usual)
                // Without the app the link leads elsewhere.
                let fallback = "&afl=http%3A%2F%2Flocalhost%2Fa"
                for (version, first) in [("1.0", "button play.google.com"), ("1.1", "button intent:")] {
                    let found = try await ways(minimum: 110, installed: version, at: server, more: fallback)
                    #expect(found == [first, " localhost"])
                }
                // No version that the configuration lists is too old.
                #expect(try await ways(minimum: 100, installed: "1.0", at: server) == usual)
                #expect(try await browser.complaints() == [])
                failure = nil
            } catch { failure = error }
            try await browser.pretend(agent: "")
            await server.kill()
            if let failure { throw failure }
        }
    }
}
