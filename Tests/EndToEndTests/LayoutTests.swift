import Foundation
import Testing

extension `Onward from end to end`.`In the browser` {
    /// Layout and accessibility of every page; only what a script can measure.
    @Suite struct `Every page` {
        let environment: BrowserEnvironment
        let user: BrowserUser
        var browser: Browser { user.browser }

        init() throws {
            environment = try BrowserEnvironment.current()
            user = try environment.user(hasScripts: true)
        }

        /// P8: the page has the requested language and its direction.
        @Test(arguments: [("en", "ltr"), ("ar", "rtl"), ("de", "ltr"), ("th", "ltr")])
        func `is readable and usable at any size`(language: String, direction: String) async throws {
            for (name, address) in try await pages(in: language) {
                try await browser.open(address)
                for (width, text) in [(320, "100%"), (320, "200%"), (1000, "100%")] {
                    try await browser.devTools(
                        "Emulation.setDeviceMetricsOverride",
                        ["width": .number(Double(width)), "height": 800, "deviceScaleFactor": 1, "mobile": false])
                    let faults = try await browser.run(Self.faults, .text(language), .text(direction), .text(text)).texts
                    #expect(faults == [], "\(name) in \(language), \(width) px wide, text at \(text)")
                }
            }
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        /// P8: long words, marks above and below the line, and scripts without spaces.
        @Test func `fits a small phone in every language`() async throws {
            let ada = try await user.forgetful(goingOnTo: await environment.landing.address("/"))
            let link = try #require(try await user.api.mail("resetPassword", to: ada.email).link)
            let languages = try LanguageFile.directions()
            #expect(languages.count == 42)
            for (language, direction) in languages {
                try await browser.open(link.replacing("lang=en", with: "lang=\(language)"))
                try await browser.devTools(
                    "Emulation.setDeviceMetricsOverride", ["width": 320, "height": 800, "deviceScaleFactor": 1, "mobile": false])
                for text in ["100%", "200%"] {
                    let faults = try await browser.run(Self.faults, .text(language), .text(direction), .text(text)).texts
                    #expect(faults == [], "in \(language), text at \(text)")
                }
            }
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        @Test func `is shown in another language without script, on a small phone`() async throws {
            let user = try environment.user(hasScripts: false)
            let ada = try await user.forgetful(goingOnTo: await environment.landing.address("/"))
            try await user.follow("resetPassword", to: ada.email)
            try await user.browser.devTools(
                "Emulation.setDeviceMetricsOverride", ["width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": false])
            for language in ["th", "zh-TW", "en"] {
                try await user.browser.element("#lang option[value=\(language)]").click()
                try await user.browser.element(".languages button").click()
                try await user.browser.element("html[lang=\(language)]")
                #expect(try await user.browser.element("#lang").property("value") == .text(language))
            }
            #expect(try await user.heading == LanguageFile.title("confirm", "resetPassword"))
            try await user.browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        /// The pages of `onward dev` are for developers and in English.
        @Test(arguments: [
            "/", "/inbox", "/inbox?q=nothing", "/emulator/accounts", "an account", "/emulator/app?after=signIn", "/nowhere",
        ])
        func `of onward dev is, too`(path: String) async throws {
            try await browser.open(user.server.origin + (path == "an account" ? "/emulator/accounts" : path))
            if path == "an account" {
                try await browser.element(".inbox a").click()
                try await browser.element("button[value=delete]")
            }
            for width in [320, 1000] {
                try await browser.devTools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": .number(Double(width)), "height": 800, "deviceScaleFactor": 1, "mobile": false])
                let faults = try await browser.run(Self.faults, "en", "ltr", "100%").texts
                #expect(faults == [], "\(path), \(width) px wide")
            }
            try await browser.devTools("Emulation.clearDeviceMetricsOverride")
        }

        @Test func `can be used by keyboard alone`() async throws {
            let (goal, tab, enter) = (await environment.landing.address("/by-keys"), "\u{E004}", "\u{E007}")
            let ada = try await user.unverified(goingOnTo: goal)
            try await user.follow("verifyEmail", to: ada.email)
            try await browser.press(tab)
            try await receivesFocus("main form button.button")
            try await browser.press(enter)
            try await browser.arrive(at: goal)

            let alan = try await user.forgetful(goingOnTo: goal)
            try await user.follow("resetPassword", to: alan.email)
            for selector in ["#password", ".peek", "main form button.button"] {
                try await browser.press(tab)
                try await receivesFocus(selector)
            }
        }

        private func receivesFocus(_ selector: String) async throws {
            try await browser.soon("focus on \(selector)") {
                try await browser.run("return document.activeElement.matches(arguments[0])", .text(selector)) == true ? () : nil
            }
        }

        /// The address of a page of each kind.
        private func pages(in language: String) async throws -> [(name: String, address: String)] {
            let (api, goal) = (user.api, await environment.landing.address("/"))
            func link(_ kind: String, to email: String) async throws -> String {
                try #require(try await api.mail(kind, to: email).link).replacing("lang=en", with: "lang=\(language)")
            }
            let ada = try await user.forgetful(goingOnTo: goal)
            try await user.ask("VERIFY_EMAIL", ada, ["continueUrl": .text(goal)])
            try await user.ask("VERIFY_AND_CHANGE_EMAIL", ada, ["newEmail": .text("new-" + ada.email), "continueUrl": .text(goal)])
            try await api.get("sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": .text(ada.email), "continueUrl": .text(goal)])
            let verify = try await link("verifyEmail", to: ada.email)
            let change = try await link("verifyAndChangeEmail", to: "new-" + ada.email)
            var pages = [
                ("verify", verify), ("change", change), ("reset", try await link("resetPassword", to: ada.email)),
                ("sign in", try await link("signIn", to: ada.email)), ("damaged", String(verify.dropLast(3))),
            ]

            let grace = try await user.unverified(goingOnTo: goal)
            try await api.verify(grace)
            try await user.ask("VERIFY_AND_CHANGE_EMAIL", grace, ["newEmail": .text("new-" + grace.email), "continueUrl": .text(goal)])
            let used = try await link("verifyAndChangeEmail", to: "new-" + grace.email)
            _ = try await HTTP.post(ActionForm(on: used).fields, to: user.server.origin + "/__/auth/action")
            pages += [
                ("already done", used), ("withdrawn", try await link("verifyEmail", to: grace.email)),
                ("recover", try await link("recoverEmail", to: grace.email)),
            ]

            let alan = try await user.unverified(goingOnTo: goal)
            try await api.verify(alan)
            try await user.ask("VERIFY_AND_CHANGE_EMAIL", alan, ["newEmail": .text("new-" + alan.email)])
            try await api.get("update", ["oobCode": .text(api.mail("verifyAndChangeEmail", to: "new-" + alan.email).code)])
            let undone = try await HTTP.post(
                ActionForm(on: link("recoverEmail", to: alan.email)).fields, to: user.server.origin + "/__/auth/action")
            pages += [("done", user.server.origin + (try #require(undone.headers["location"])) + "&lang=\(language)")]
            return pages
        }

        /// A script that returns what is wrong with the page, for a language, its direction and a
        /// size of text.
        static let faults = """
            const [language, direction, text] = arguments;
            const root = document.documentElement;
            root.style.fontSize = text;
            const faults = [];
            const name = (element) => element.outerHTML.slice(0, 120);
            const expect = (isTrue, fault) => { if (!isTrue) faults.push(fault); };
            expect(document.querySelectorAll("h1").length === 1, "not one h1");
            expect(document.querySelectorAll("main").length === 1, "not one main");
            expect(document.title.trim(), "no title");
            expect(root.lang === language && root.dir === direction, `${root.lang} ${root.dir}`);
            expect(root.scrollWidth <= innerWidth, `${root.scrollWidth} px wide in ${innerWidth}`);
            for (const image of document.images) expect(image.hasAttribute("alt"), `no alt: ${name(image)}`);
            for (const svg of document.querySelectorAll("svg")) expect(svg.closest("[aria-hidden=true]") || svg.ariaLabel, `neither hidden nor named: ${name(svg)}`);
            const shown = (element) => element.checkVisibility() && !element.closest("[aria-hidden=true]");
            for (const field of [...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(shown)) {
                expect(field.labels.length === 1 && field.labels[0].textContent.trim(), `no label: ${name(field)}`);
                for (const id of (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean))
                    expect(document.getElementById(id), `not there: ${id}`);
            }
            const password = document.getElementById("password");
            const room = 9 * parseFloat(getComputedStyle(root).fontSize);
            expect(!password || password.getBoundingClientRect().width >= Math.min(room, 200), "no room for a password");
            const targets = "button, select, summary, a.button, .inbox a, nav a, input:not([type=hidden])";
            for (const target of [...document.querySelectorAll(targets)].filter(shown)) {
                const { width, height } = target.getBoundingClientRect();
                expect(width >= 44 && height >= 44, `${Math.round(width)} x ${Math.round(height)}: ${name(target)}`);
            }
            for (const element of document.querySelectorAll("main *"))
                if (shown(element) && element.childElementCount === 0 && element.textContent.trim())
                    expect(parseFloat(getComputedStyle(element).fontSize) >= 14, `small: ${name(element)}`);
            return faults;
            """
    }
}
