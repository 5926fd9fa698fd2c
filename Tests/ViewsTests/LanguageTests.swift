import Foundation
import Testing
@testable import Views

@Suite struct `A language` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    @Test(arguments: [
        (-5, "1 minute"), (59, "1 minute"), (120, "2 minutes"), (3599, "1 hour"), (3600, "1 hour"), (5400, "90 minutes"),
        (86_400, "1 day"), (100_000, "28 hours"), (200_000, "2 days"),
    ])
    func `writes a duration in its largest fitting unit`(seconds: Double, words: String) throws {
        let english = views.languages[0]
        let duration = english.value(of: english.distance(from: Samples.now, to: Samples.now + seconds))
        guard case .phrase(let phrase, let arguments) = duration else { throw Problem() }
        #expect(english.plain(phrase, arguments) == words)
    }

    struct Problem: Error {}
}
