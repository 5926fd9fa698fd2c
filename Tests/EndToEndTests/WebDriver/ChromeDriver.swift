import Foundation
import World

/// Chromium, driven as the WebDriver standard says. Source: W3C WebDriver; chromedriver's own `goog:` capabilities.
struct ChromeDriver: Sendable {
    private let program: Program
    private let address: String
    private let chromium: String

    init(in folder: Folder) async throws {
        chromium = try Program.path(to: "chromium", "google-chrome", "chrome")
        program = try Program(Program.path(to: "chromedriver"), ["--port=0"], errors: folder.path + "/chromedriver")
        address = "http://127.0.0.1:" + (try await program.first(#/started successfully on port (\d+)/#))
    }

    /// A fresh profile in a window as wide as a small laptop's.
    func browser(scripts: Bool) async throws -> Browser {
        // Inside of a container, root is often all there is, and Chromium's sandbox will not have it.
        let arguments =
            ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,800", "--lang=en-GB"]
            + (getuid() == 0 ? ["--no-sandbox"] : [])
        let options: JSON = [
            "binary": .text(chromium),
            "args": .list(arguments.map { .text($0) }),
            "prefs": ["profile.managed_default_content_settings.javascript": scripts ? 1 : 2],
        ]
        let capabilities: JSON = [
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
        ]
        let session = try await Browser.ask("POST", address + "/session", ["capabilities": ["alwaysMatch": capabilities]])
        return Browser(session: "\(address)/session/\(session["sessionId"].text ?? "")")
    }

    /// Ends the browsers, too: a signal alone would leave them running.
    func quit() async {
        _ = try? await HTTP.send("GET", address + "/shutdown")
        program.signal(SIGTERM)
        _ = await program.status
    }
}
