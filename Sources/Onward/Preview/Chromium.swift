import Foundation
import Views

/// Takes pictures of a mail in Chromium, if it is installed.
enum Chromium {
    private static let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    private static let limit = Duration.seconds(60)
    private static let (width, height) = (390, 1200)

    static var isInstalled: Bool { names.contains { ChildProcess.path(of: $0) != nil } }

    /// Writes `<stem>.light.png` and `<stem>.dark.png` of `<stem>.html`, as wide as a phone, and
    /// prints their paths.
    static func writePictures(of stem: String) async throws {
        guard let browser = names.first(where: { ChildProcess.path(of: $0) != nil }) else {
            return print("no pictures: Chromium is not installed")
        }
        let profile = FileManager.default.temporaryDirectory.appending(path: "onward-chromium-\(UUID())").path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: profile) }
        let page = URL(filePath: profile + "/page.html")
        try Data(phone(showing: URL(filePath: stem + ".html")).utf8).write(to: page)
        for (name, scheme) in [("light", 1), ("dark", 0)] {
            let picture = "\(stem).\(name).png"
            try? FileManager.default.removeItem(atPath: picture)
            let status = try await ChildProcess.run(
                browser,
                [
                    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                    "--force-device-scale-factor=2", "--window-size=\(width),\(height)", "--blink-settings=preferredColorScheme=\(scheme)",
                    "--user-data-dir=\(profile)", "--screenshot=\(picture)",
                ] + (System.isRoot ? ["--no-sandbox"] : []) + [page.absoluteString],
                atMost: limit)
            guard FileManager.default.fileExists(atPath: picture) else {
                return print("no pictures: \(browser) ended with \(status.map { "status \($0)" } ?? "no result after \(limit)")")
            }
            print(picture)
        }
    }

    /// A page with the mail in a frame: Chromium lays out no window in less than 500 pixels.
    private static func phone(showing mail: URL) -> String {
        """
        <!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
        <style>body{margin:0;overflow:hidden} iframe{display:block;border:0;width:\(width)px;height:\(height)px}</style>
        <iframe src="\(mail.absoluteString.markup)"></iframe>
        """
    }
}
