import Accounts
import Base
import ConfigurationSamples
import Testing
import World
@testable import Configuration

/// The settings of pages after an action, and of the links that pages have.
@Suite struct `The configuration of pages` {
    private func project(_ lines: String) throws -> Project {
        try Configuration(sample: Configuration.sampleYAML + "\n" + lines).projects[0]
    }

    private func problems(_ lines: String) -> [String] {
        do { _ = try project(lines) } catch { return (error as? InvalidConfiguration)?.problems.map(\.sentence) ?? ["\(error)"] }
        return []
    }

    @Test(arguments: [
        ("", ["page", "straight", "straight"]), ("    continuePolicy: straight", ["straight", "straight", "straight"]),
        ("    continuePolicy: page", ["page", "page", "page"]),
        ("    continuePolicy: {verifyEmail: page}", ["page", "page", "straight"]),
        ("    continuePolicy: {resetPassword: straight}", ["straight", "straight", "straight"]),
    ])
    func `chooses what follows the button, for all actions or by action`(lines: String, policies: [String]) throws {
        let project = try project(lines)
        #expect([Action.resetPassword, .verifyEmail, .verifyAndChangeEmail].map { project.continuePolicy[$0].rawValue } == policies)
        // The page after an undo offers a password reset.
        for action in Action.allCases where action.isUndo { #expect(project.continuePolicy[action] == .page) }
    }

    @Test func `leads to the app and to its terms`() throws {
        let project = try project(
            """
                homeURL: https://One.example.com
                brand: {terms: https://one.example.com/terms, privacy: "http://localhost:3000/privacy"}
            """)
        #expect(project.homeURL?.serialized == "https://one.example.com/")
        #expect(project.appearance.terms == "https://one.example.com/terms")
        #expect(project.appearance.privacy == "http://localhost:3000/privacy")
    }

    @Test(arguments: [
        ("    continuePolicy: slow", "expected one of straight, page"),
        ("    continuePolicy: {resetPassword: slow}", "expected one of straight, page"),
        ("    continuePolicy: {recoverEmail: page}", "unknown key"), ("    homeURL: http://one.example.com", "https"),
        ("    homeURL: \"javascript:alert(1)\"", "expected a URL"), ("    brand: {terms: terms.html}", "expected a URL"),
    ])
    func `says what would be right`(lines: String, sentence: String) {
        #expect(problems(lines).count == 1 && problems(lines)[0].contains(sentence), "\(problems(lines))")
    }
}
