import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// The page behind an app link, in Chromium with the fields of other browsers.
    @Suite struct `A phone without the app` {
        static let agents = [
            "iPhone":
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Android": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
            "Mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
            "PC": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
        ]
        static let apps = "&apn=com.example.demo&ibi=com.example.demo&isi=123456789&ius=com.example.demo"

        let environment: BrowserEnvironment
        let user: BrowserUser
        var browser: Browser { user.browser }

        init() throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        /// Opens an app link in the browser of another device. All tests share the browser, so it
        /// is itself again afterwards.
        private func open(
            _ link: String, as device: String, touchPoints: Int = 0, more: String = "", then body: () async throws -> Void
        ) async throws {
            try await browser.pretend(agent: try #require(Self.agents[device]), touchPoints)
            let query = "/?link=" + (link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") + Self.apps + more
            let failure: (any Error)?
            do {
                try await browser.open(user.server.origin.replacing("localhost", with: "127.0.0.1") + query)
                try await body()
                failure = nil
            } catch { failure = error }
            try await browser.pretend(agent: "")
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
            if let failure { throw failure }
        }

        /// The scheme or the host of each button.
        private func ways() async throws -> [String] {
            let script =
                "return [...document.querySelectorAll('main a.button, .other a')].map((a) => a.protocol === 'https:' ? a.hostname : a.protocol)"
            return try await browser.run(script).texts
        }

        @Test(arguments: [
            ("iPhone", ["com.example.demo:", "apps.apple.com", "http:"]), ("Android", ["intent:", "play.google.com", "http:"]),
        ])
        func `is offered the app, its store and the web`(device: String, ways: [String]) async throws {
            let goal = await environment.landing.address("/phone")
            for (language, direction) in [("en", "ltr"), ("ar", "rtl"), ("de", "ltr")] {
                try await open(goal, as: device, more: "&lang=\(language)") {
                    let found = try await self.ways()
                    #expect(found == ways)
                    for (width, text) in [(320, "100%"), (320, "200%"), (1000, "100%")] {
                        try await browser.devTools(
                            "Emulation.setDeviceMetricsOverride",
                            ["width": .number(Double(width)), "height": 800, "deviceScaleFactor": 1, "mobile": false])
                        let faults = try await browser.run(`Every page`.faults, .text(language), .text(direction), .text(text)).texts
                        #expect(faults == [], "\(device) in \(language), \(width) px wide, text at \(text)")
                    }
                    try await browser.element(".other a[href^='http:']").click()
                    try await browser.arrive(at: goal)
                }
            }
        }

        @Test func `that is no phone goes on to the web`() async throws {
            for device in ["PC", "Mac"] {
                let goal = await environment.landing.address("/\(device)")
                try await open(goal, as: device) { try await browser.arrive(at: goal) }
            }
        }

        /// The clipboard belongs to the user: nothing but a tap changes it.
        @Test func `copies its link at a tap, and says so`() async throws {
            try await browser.devTools("Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
            let goal = await environment.landing.address("/copied")
            try await open(goal, as: "iPhone") {
                try await browser.run("return navigator.clipboard.writeText('before')")
                try await browser.open(try await browser.address)
                let button = try await browser.element("#copy")
                #expect(try await browser.run("return navigator.clipboard.readText()") == "before")
                try await button.click()
                try await browser.soon("what was done") {
                    try await browser.run("return document.getElementById('copied').textContent") == "Link copied" ? () : nil
                }
                #expect(try await button.text == "Link copied")
                let copied = try #require(try await browser.run("return navigator.clipboard.readText()").text)
                #expect(copied.hasPrefix(try await browser.run("return location.origin").text ?? "-"))
                #expect(copied.contains("/__/auth/links?link=http%3A%2F%2Flocalhost") && copied.contains("&ibi=com.example.demo"))
            }
            try await browser.devTools("Browser.resetPermissions")
        }

        @Test func `shows no button that needs a script without one`() async throws {
            let user = try environment.user(hasScripts: false)
            try await user.browser.pretend(agent: try #require(Self.agents["iPhone"]))
            try await user.browser.open(
                user.server.origin.replacing("localhost", with: "127.0.0.1") + "/?link=http%3A%2F%2Flocalhost%2Fx" + Self.apps)
            let isShown = try await user.browser.run("return document.getElementById('copy').checkVisibility()")
            try await user.browser.pretend(agent: "")
            #expect(isShown == false)
        }

        /// An iPad calls itself a Mac, but can be touched.
        @Test func `may be an iPad`() async throws {
            try await open(await environment.landing.address("/iPad"), as: "Mac", touchPoints: 5) {
                let found = try await ways()
                #expect(found == ["com.example.demo:", "apps.apple.com", "http:"])
            }
        }
    }
}
