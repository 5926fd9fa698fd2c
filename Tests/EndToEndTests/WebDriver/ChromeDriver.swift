import Foundation
import World

/// A running chromedriver, which opens Chromium browsers. It is driven by the WebDriver protocol.
/// Source: W3C WebDriver; chromedriver's own `goog:` capabilities.
struct ChromeDriver: Sendable {
    private let program: Program
    private let address: String
    private let chromium: String

    init(in folder: TemporaryFolder) async throws {
        chromium = try Program.path(to: "chromium", "google-chrome", "chrome")
        program = try Program(Program.path(to: "chromedriver"), ["--port=0"], errors: folder.path + "/chromedriver")
        address = "http://127.0.0.1:" + (try await program.first(#/started successfully on port (\d+)/#))
    }

    /// A browser with a fresh profile, in a window as wide as that of a small laptop.
    /// - Parameter requests: keeps what `Browser.requests` returns. It costs time and memory for
    ///   each request.
    func browser(scripts: Bool, requests: Bool = true) async throws -> Browser {
        // In a container the tests often run as root, which Chromium's sandbox refuses.
        let arguments =
            [
                "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,800", "--lang=en-GB",
                // A person's: a headless browser names itself, and counts as a program.
                "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
            ]
            + (getuid() == 0 ? ["--no-sandbox"] : [])
        let options: JSON = [
            "binary": .text(chromium),
            "args": .list(arguments.map { .text($0) }),
            "prefs": [
                "profile.managed_default_content_settings.javascript": scripts ? 1 : 2,
                // No storage of third parties, as in the strictest browsers.
                "profile.cookie_controls_mode": 1, "profile.block_third_party_cookies": true,
            ],
        ]
        let logs: JSON = requests ? ["browser": "ALL", "performance": "ALL"] : ["browser": "ALL"]
        let capabilities: JSON = ["browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs]
        let session = try await Browser.ask("POST", address + "/session", ["capabilities": ["alwaysMatch": capabilities]])
        return Browser(session: "\(address)/session/\(session["sessionId"].text ?? "")")
    }

    /// Ends chromedriver and its browsers: a signal alone would leave the browsers running.
    func quit() async {
        _ = try? await HTTP.send("GET", address + "/shutdown")
        program.signal(SIGTERM)
        _ = await program.status
    }
}
