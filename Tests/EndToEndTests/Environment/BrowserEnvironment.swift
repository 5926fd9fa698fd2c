import Foundation
import Testing
import World

/// The fixture of all tests with a browser: one browser and one `onward dev` for a user with
/// scripts and for one without, and the app's site.
struct BrowserEnvironment: Sendable {
    let landing: LandingSite
    let driver: ChromeDriver
    private let users: [Bool: BrowserUser]

    func user(hasScripts: Bool) throws -> BrowserUser { try #require(users[hasScripts]) }

    @TaskLocal private static var shared: BrowserEnvironment?

    static func current() throws -> BrowserEnvironment { try #require(shared) }

    /// Starts everything, runs `body`, and ends everything whatever happens.
    private static func run(around body: @Sendable @concurrent () async throws -> Void) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
        let landing = LandingSite()
        try await landing.open()
        let driver = try await ChromeDriver(in: folders[2])
        var servers: [DevServer] = []
        var users: [Bool: BrowserUser] = [:]
        let failure: (any Error)?
        do {
            for (folder, hasScripts) in zip(folders, [true, false]) {
                // A named project is not taken, and emptied, by a test that names another one.
                let server = try await DevServer(in: folder, "--project", "demo-project")
                servers.append(server)
                users[hasScripts] = BrowserUser(
                    server: server, browser: try await driver.browser(scripts: hasScripts), hasScripts: hasScripts)
            }
            try await $shared.withValue(BrowserEnvironment(landing: landing, driver: driver, users: users)) { try await body() }
            failure = nil
        } catch { failure = error }
        await driver.quit()
        for server in servers { await server.kill() }
        await landing.close()
        if let failure { throw failure }
    }

    struct Scope: SuiteTrait, TestScoping {
        @concurrent func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            try await BrowserEnvironment.run(around: function)
        }
    }
}

extension SuiteTrait where Self == BrowserEnvironment.Scope {
    /// The tests of the suite share one `BrowserEnvironment`.
    static var withBrowsers: Self { Self() }
}

/// The tests run one after the other: two cores are enough for one browser, not for several.
@Suite(.serialized, .patience) struct `Onward from end to end` {
    @Suite(.withBrowsers) struct `In the browser` {}
}
