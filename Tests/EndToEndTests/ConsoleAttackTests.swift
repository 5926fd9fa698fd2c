import Foundation
import Testing
import Vectors
import World

extension `Onward from end to end`.`In the browser` {
    @Suite struct `Texts in the console` {
        /// The answers of the API in which every text is another one of the public lists.
        @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence)))
        func `hostile texts of the public lists stay texts in every view`() async throws {
            let folder = try TemporaryFolder()
            let names = try FileManager.default.contentsOfDirectory(atPath: Vectors.path("inject")).filter { $0.hasSuffix(".txt") }
            let vectors =
                try names.sorted().flatMap { try Vectors.lines("inject/" + $0) }
                + JSONDecoder().decode([String].self, from: Vectors.bytes("inject/naughty-strings.json"))
            try #require(vectors.count > 1400)
            let desk = try await SupportDesk(in: folder, more: try SupportDesk.deafBackEnd(in: folder))
            try await desk.ending {
                try await desk.account("ada", "ada@example.com", ["password": "a quiet long phrase", "displayName": "Ada"])
                try await desk.account("old", "old@example.com")
                try await desk.call("accounts:merge", ["localId": "ada", "fromLocalId": "old"])
                let google: JSON = ["providerId": "google.com", "rawId": "1234", "email": "ada@gmail.example"]
                let factor: JSON = ["enrollments": [["phoneInfo": "+15555550100", "displayName": "Phone"]]]
                try await desk.call(
                    "accounts:update", ["localId": "ada", "linkProviderUserInfo": google, "emailVerified": true, "mfa": factor])
                _ = try await desk.server.askForReset(of: "ada@example.com")
                try await desk.signIn()
                for place in ["find/", "account/ada", "overview", "mails", "events", "audit"] {
                    for start in stride(from: 0, to: vectors.count, by: 200) {
                        let some = vectors[start..<min(start + 200, vectors.count)].map { JSON.text($0) }
                        let faults = try await desk.browser.run(Self.attack, .text(place), .list(some))
                        #expect(faults.texts == [], "\(faults.texts.prefix(3))")
                    }
                }
            }
        }

        private static let attack = """
            const [place, vectors] = arguments, faults = [], answers = (window.answers ??= new Map()), real = (window.real ??= window.fetch);
            for (const name of ["alert", "confirm", "prompt", "open"]) window[name] = () => faults.push(name);
            const facts = /^([0-9]+|[0-9]{4}-[0-9]{2}-.*)$/;
            let next = 0, used = 0;
            const poisoned = (value) => {
                if (Array.isArray(value)) return value.map(poisoned);
                if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one)]));
                if (typeof value !== "string" || facts.test(value)) return value;
                used += 1;
                return vectors[next++ % vectors.length];
            };
            window.fetch = async (path, options) => {
                if (!answers.has(path)) answers.set(path, await (await real(path, options)).json());
                return new Response(JSON.stringify(poisoned(answers.get(path))));
            };
            const view = document.getElementById("view");
            const shown = () => new Promise((resolve) => {
                const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
                observer.observe(view, { childList: true });
            });
            const allowed = new Set(
                "H1 H2 P A UL LI STRONG SECTION DIV TABLE THEAD TBODY TR TH TD DL DT DD CODE TIME SPAN BUTTON FORM LABEL INPUT svg title path rect".split(" "));
            return (async () => {
                while (used < vectors.length && faults.length < 9) {
                    const before = used;
                    // Chromium slows down more than 200 changes of an address in ten seconds.
                    if (location.hash === "#/shop/" + place) dispatchEvent(new Event("hashchange"));
                    else location.hash = "#/shop/" + place;
                    await shown();
                    for (const one of view.querySelectorAll("*")) {
                        if (!allowed.has(one.tagName)) faults.push(place + one.tagName);
                        for (const { name, value } of one.attributes) {
                            const isForeign = name === "href" && !value.startsWith("#/shop/");
                            if (name.startsWith("on") || name === "style" || isForeign) faults.push(place + name + "=" + value);
                        }
                    }
                    if (used === before) faults.push(place + " has no text");
                }
                return faults;
            })();
            """
    }
}
