import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// The page of a link with a code, on a desktop whose user has the app on a phone.
    @Suite struct `A desktop` {
        typealias Phone = `Onward from end to end`.`In the browser`.`A phone without the app`

        let environment: BrowserEnvironment

        init() throws { environment = try BrowserEnvironment.current() }

        /// Mails a sign-in link that opens an app, and opens it in the browser of a device.
        private func open(as device: String, in user: BrowserUser, language: String = "en", then body: (API.Mail) async throws -> Void)
            async throws
        {
            let email = "desk-\(UUID().uuidString.prefix(8).lowercased())@example.com"
            try await user.api.get(
                "sendOobCode",
                [
                    "requestType": "EMAIL_SIGNIN", "email": .text(email), "canHandleCodeInApp": true,
                    "continueUrl": .text(await environment.landing.address("/finish")), "androidPackageName": "com.example.demo",
                ])
            try await user.browser.pretend(agent: try #require(Phone.agents[device]))
            let failure: (any Error)?
            do {
                let mail = try await user.api.mail("signIn", to: email)
                try await user.browser.open(try #require(mail.link).replacing("lang%3Den", with: "lang%3D" + language))
                try await body(mail)
                failure = nil
            } catch { failure = error }
            try await user.browser.pretend(agent: "")
            try await user.browser.devTools("Emulation.clearDeviceMetricsOverride")
            try await user.browser.devTools("Emulation.setEmulatedMedia", ["features": []])
            if let failure { throw failure }
        }

        /// Scanners read black on white only, so the code is the same in the dark.
        @Test(arguments: [true, false]) func `shows the mailed link as a code that a phone can scan`(hasScripts: Bool) async throws {
            let user = try environment.user(hasScripts: hasScripts)
            let folder = try TemporaryFolder()
            try await open(as: "PC", in: user) { mail in
                #expect(try await user.browser.address.contains("/__/auth/action?"))
                #expect(try await user.browser.run("return document.querySelector('svg.code').checkVisibility()") == false)
                try await user.browser.element("main summary").click()
                let code = try await user.browser.element("svg.code")
                // A window that has room for the whole page: pictures end at its edge.
                try await user.browser.devTools(
                    "Emulation.setDeviceMetricsOverride", ["width": 1000, "height": 1400, "deviceScaleFactor": 1, "mobile": false])
                for scheme in ["light", "dark"] {
                    try await user.browser.devTools(
                        "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": .text(scheme)]]])
                    let file = folder.path + "/\(scheme).png"
                    try await code.picture.write(to: URL(filePath: file))
                    // Its readers of bar codes complain of one picture in eighty.
                    let onlyQRCodes = ["-Sdisable", "-Sqrcode.enable"]
                    let read = try Program.output(
                        of: try Program.path(to: "zbarimg"), onlyQRCodes + ["--nodbus", "--quiet", "--raw", file])
                    #expect(read == (mail.link ?? "") + "\n", "in \(scheme)")
                }
                #expect(try await user.api.isAlive(mail.code))
            }
        }

        @Test(arguments: [("en", "ltr"), ("ar", "rtl"), ("de", "ltr")])
        func `keeps its layout with the code`(language: String, direction: String) async throws {
            let user = try environment.user(hasScripts: true)
            try await open(as: "PC", in: user, language: language) { _ in
                try await user.browser.element("main summary").click()
                for (width, text) in [(320, "100%"), (320, "200%"), (1000, "100%")] {
                    try await user.browser.devTools(
                        "Emulation.setDeviceMetricsOverride",
                        ["width": .number(Double(width)), "height": 800, "deviceScaleFactor": 1, "mobile": false])
                    let faults = try await user.browser.run(`Every page`.faults, .text(language), .text(direction), .text(text)).texts
                    #expect(faults == [], "in \(language), \(width) px wide, text at \(text)")
                }
            }
        }

        @Test func `is none if it is a phone`() async throws {
            let user = try environment.user(hasScripts: true)
            try await open(as: "Android", in: user) { _ in
                try await user.browser.element(".other a[href^='http:']").click()
                _ = try await user.browser.arrive { $0.contains("/__/auth/action?") }
                #expect(try await user.browser.elements("svg.code").isEmpty)
            }
        }
    }
}
