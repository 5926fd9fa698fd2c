import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// Every state of every page and mail, in every language, as the gallery of `onward dev` shows
    /// it: what only a browser can measure.
    @Suite struct `In the gallery` {
        private let browser: Browser
        private let folder: TemporaryFolder
        private let server: DevServer

        /// A browser and a server for each test: thousands of pages are opened, and the app has all
        /// that pages and mails may show.
        init() async throws {
            browser = try await BrowserEnvironment.current().driver.browser(scripts: true, requests: false)
            folder = try TemporaryFolder()
            let looks = """
                projects:
                  - {id: shop, displayName: Demo App, homeURL: "https://app.example.com/", brand: {help: help@example.com,
                     terms: "https://example.com/terms", privacy: "https://example.com/privacy"}}
                """
            try Data(looks.utf8).write(to: URL(filePath: folder.path + "/looks.yaml"))
            server = try await DevServer(in: folder, "--empty", "--config", folder.path + "/looks.yaml")
        }

        /// Ends the browser and the server after a test.
        private func ending(_ test: () async throws -> Void) async throws {
            var failure: (any Error)?
            do { try await test() } catch { failure = error }
            await browser.quit()
            await server.kill()
            if let failure { throw failure }
        }

        private static let parts = ["before", "after", "trouble", "appLinks"]

        /// The names of the states of a part.
        private func states(of part: String) async throws -> [String] {
            try await browser.open("\(server.origin)/emulator/gallery?part=\(part)")
            return try await browser.run("return [...document.querySelectorAll('figure')].map(figure => figure.id)").texts
        }

        /// The states whose pages differ in more than a few words.
        private func pages() async throws -> [String] {
            var states: [String] = []
            for part in Self.parts { states += try await self.states(of: part) }
            let names = Set(states)
            return states.filter { name in
                !["-bare", "-refused", "-nowhere"].contains { name.hasSuffix($0) } && !names.contains(name + "-ways")
            }
        }

        /// Shows states in frames of the gallery and expects that a script finds no fault: the body
        /// of a function of `state`, `frame` and `fault`.
        private func expectNone(of states: [String], in language: String, width: Int, judgedBy script: String) async throws {
            let walk = """
                const [states, language, width] = arguments;
                const faults = [];
                const judge = (state, frame, fault) => {
                \(script)
                };
                const queue = [...states];
                const frames = Array.from({ length: 4 }, () => {
                    const frame = document.body.appendChild(document.createElement("iframe"));
                    [frame.width, frame.height, frame.style.border] = [width, 800, "0"];
                    return frame;
                });
                return Promise.all(frames.map(async (frame) => {
                    for (let state = queue.shift(); state; state = queue.shift()) {
                        await new Promise((done) => {
                            frame.onload = done;
                            frame.src = `/emulator/gallery/frame?state=${encodeURIComponent(state)}&lang=${language}&scheme=light`;
                        });
                        if (!frame.contentDocument.querySelector("h1")) faults.push(`${state}: not shown`);
                        await judge(state, frame, (what) => faults.push(`${state}: ${what}`));
                    }
                    frame.remove();
                })).then(() => faults);
                """
            let faults = try await browser.run(walk, .list(states.map { .text($0) }), .text(language), .number(Double(width))).texts
            #expect(faults.isEmpty, "in \(language): \(faults.joined(separator: "; "))")
        }

        /// P8: the first screen of the smallest phone, and the whole page with text of twice the
        /// size and an app whose name is one word of forty letters.
        @Test func `every page fits the smallest phone in every language`() async throws {
            try await ending {
                let pages = try await pages()
                #expect(pages.count > 80)
                for (language, _) in try LanguageFile.directions() {
                    try await expectNone(of: pages, in: language, width: 320, judgedBy: Self.fitsSmallPhone)
                }
            }
        }

        /// The button of a mail is on the first screen of a phone, below what a mail program shows.
        @Test func `every mail has its button on the first screen in every language`() async throws {
            try await ending {
                let mails = try await states(of: "mails")
                #expect(mails.count == 28)
                let script = """
                    const button = frame.contentDocument.querySelector("td.button, td.outline");
                    const end = button?.getBoundingClientRect().bottom ?? 0;
                    if (end > 500) fault(`the button ends at ${Math.round(end)}`);
                    if (frame.contentDocument.documentElement.scrollWidth > 390) fault("is too wide");
                    """
                for (language, _) in try LanguageFile.directions() {
                    try await expectNone(of: mails, in: language, width: 390, judgedBy: script)
                }
            }
        }

        /// P8. The rules of axe-core run in each frame, whose `window` they take for their own.
        @Test(
            .enabled(if: OtherServers.axe != nil, "axe-core is not installed; Scripts/test installs it"),
            arguments: [("en", 390), ("ar", 320)])
        func `axe finds nothing, in mails neither`(language: String, width: Int) async throws {
            let axe = try String(contentsOfFile: try #require(OtherServers.axe), encoding: .utf8)
            let script = """
                const window = frame.contentWindow;
                if (!window.axe) (() => { \(axe) })();
                // Pages that go on by themselves offer to stay, and a mail is a part of a page.
                const rules = state.startsWith("mail-") ? ["region", "landmark-one-main"] : ["meta-refresh"];
                const options = { resultTypes: ["violations"], rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])) };
                return window.axe.run(frame.contentDocument, options).then(({ violations }) => {
                    for (const { id, nodes } of violations) fault(`${id}: ${nodes[0].html.slice(0, 120)}`);
                });
                """
            try await ending {
                for part in Self.parts + ["mails"] {
                    try await expectNone(of: try await states(of: part), in: language, width: width, judgedBy: script)
                }
            }
        }

        @Test func `links and buttons do nothing, and nothing goes on by itself`() async throws {
            try await ending {
                let done = try await states(of: "after").filter { $0.hasPrefix("done-resetPassword") }
                for state in done + ["confirm-ways", "mail-resetPassword"] {
                    let address = "\(server.origin)/emulator/gallery/frame?state=\(state)&lang=en&scheme=dark"
                    try await browser.open(address)
                    let tabs = try await browser.tabs
                    let controls = try await browser.elements("a.button, td.button a, main button")
                    #expect(!controls.isEmpty || state.hasSuffix("-nowhere") || state.hasSuffix("-refused"), "\(state)")
                    for control in controls { try await control.click() }
                    let (arrived, open) = (try await browser.address, try await browser.tabs)
                    #expect(arrived == address && open == tabs, "\(state)")
                    let isDark = try await browser.run(
                        """
                        const ground = arguments[0].startsWith("mail-") ? document.body : document.documentElement;
                        return getComputedStyle(ground).backgroundColor.match(/\\d+/g).every((shade) => shade < 64);
                        """, .text(state))
                    #expect(isDark == true, "\(state)")
                }
            }
        }

        private static let fitsSmallPhone = #"""
            const [document, root] = [frame.contentDocument, frame.contentDocument.documentElement];
            // The smallest phone in use is 568 pixels high.
            const button = document.querySelector("main .button");
            const end = button?.getBoundingClientRect().bottom ?? 0;
            const isLong = state === "choice-takeAddress" || document.querySelectorAll("#password-rules li").length > 3;
            if (end > 568 && !isLong) fault(`the button ends at ${Math.round(end)}`);

            const name = "Nordlichtfreundschaftsversammlungsvereine";
            const texts = () => {
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                const nodes = [];
                while (walker.nextNode()) nodes.push(walker.currentNode);
                return nodes;
            };
            for (const text of texts()) text.data = text.data.replaceAll("Demo App", name);
            root.style.fontSize = "200%";
            if (root.scrollWidth > 320) {
                const isOut = (element) => { const box = element.getBoundingClientRect(); return box.right > 321 || box.left < -1; };
                fault(`${root.scrollWidth} px wide: ${[...document.querySelectorAll("body *")].find(isOut)?.outerHTML.slice(0, 120)}`);
            }
            for (const control of document.querySelectorAll("button, a.button, input:not([type=hidden], .unseen), summary"))
                if (control.checkVisibility() && control.scrollWidth > control.clientWidth + 1) fault(`cut: ${control.outerHTML.slice(0, 120)}`);
            for (const select of document.querySelectorAll("select")) {
                const style = frame.contentWindow.getComputedStyle(select);
                const canvas = document.createElement("canvas").getContext("2d");
                canvas.font = style.font;
                const arrow = 1.2 * parseFloat(style.fontSize);
                const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
                if (canvas.measureText(select.selectedOptions[0].textContent).width > room) fault("the name of the language is cut");
            }
            // Words of scripts that separate them; the browser may break longer ones.
            const words = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Hangul}\p{M}'’\u2060-]{2,}/gu;
            for (const text of texts()) {
                const parent = text.parentElement;
                if (!parent.checkVisibility() || parent.closest("bdi[dir=ltr], option, .unseen")) continue;
                for (const { 0: word, index } of text.data.matchAll(words)) {
                    // A line may end at a hyphen, but in titles not in e-mail.
                    if (word.includes("-") ? !(parent.closest("h1") && /^\p{L}-\u2060?\p{L}+$/u.test(word)) : word.length >= 14) continue;
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    const tops = [...range.getClientRects()].filter((box) => box.width > 0).map((box) => box.top);
                    if (Math.max(...tops) - Math.min(...tops) > 5) fault(`broken: ${word} in ${parent.outerHTML.slice(0, 80)}`);
                }
            }
            """#
    }
}
