import Foundation
import Testing

/// What the tests that need a browser share: for people with and without scripts a browser and an Onward each, and the app's own site.
struct Stage: Sendable {
    /// A person's browser, and the Onward that wrote to them.
    struct Person: Sendable {
        let onward: Onward
        let browser: Browser
        let hasScripts: Bool

        var api: API { API(origin: onward.origin) }
    }

    let landing: Landing
    private let people: [Bool: Person]

    func person(hasScripts: Bool) throws -> Person { try #require(people[hasScripts]) }

    @TaskLocal fileprivate static var current: Stage?

    static func set() throws -> Stage { try #require(current) }

    /// Builds it around a suite, and takes it down whatever happens.
    fileprivate static func around(_ play: @Sendable @concurrent () async throws -> Void) async throws {
        let folders = [try Folder(), try Folder(), try Folder()]
        let landing = Landing()
        try await landing.open()
        let driver = try await ChromeDriver(in: folders[2])
        var onwards: [Onward] = []
        var people: [Bool: Person] = [:]
        let failure: (any Error)?
        do {
            for (folder, hasScripts) in zip(folders, [true, false]) {
                let onward = try await Onward(in: folder)
                onwards.append(onward)
                people[hasScripts] = Person(onward: onward, browser: try await driver.browser(scripts: hasScripts), hasScripts: hasScripts)
            }
            try await $current.withValue(Stage(landing: landing, people: people)) { try await play() }
            failure = nil
        } catch { failure = error }
        await driver.quit()
        for onward in onwards { await onward.kill() }
        await landing.close()
        if let failure { throw failure }
    }

    struct Around: SuiteTrait, TestScoping {
        @concurrent func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            try await Stage.around(function)
        }
    }
}

extension SuiteTrait where Self == Stage.Around {
    /// With browsers, servers and a landing page, once for the whole suite.
    static var onStage: Self { Self() }
}

/// One thing after the other: two cores carry one browser well, and a crowd badly.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Onward from end to end` {
    @Suite(.onStage) struct `In the browser` {}
}
