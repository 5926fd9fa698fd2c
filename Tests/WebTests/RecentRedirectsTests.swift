import AppLinks
import Testing
@testable import Web

@Suite struct `The redirects of the last second` {
    private func visit(_ path: String) throws -> RecentRedirects.Visit {
        RecentRedirects.Visit(
            domain: try LinkDomain("links.example"), path: try #require(ShortLinkPath(path)), device: LinkDevice(.desktop))
    }

    private let redirect = RecentRedirects.Redirect(link: 1, target: "https://app.example/")

    @Test func `are of links that were looked up within it`() throws {
        let redirects = RecentRedirects()
        let asked = ContinuousClock.now
        redirects.remember(redirect, of: try visit("/a"), asked: asked + .seconds(3600))
        // The second of the first begins in an hour; what was asked before it may have changed.
        redirects.remember(redirect, of: try visit("/b"), asked: asked)
        #expect(redirects[try visit("/a"), at: asked + .seconds(3600)]?.target == redirect.target)
        #expect(redirects[try visit("/b"), at: asked + .seconds(3600)] == nil)
        #expect(redirects[try visit("/a"), at: asked + .seconds(3600) + .seconds(1)] == nil)
    }

    @Test func `are limited in number`() throws {
        let redirects = RecentRedirects()
        let asked = ContinuousClock.now + .seconds(3600)
        for number in 0...RecentRedirects.capacity { redirects.remember(redirect, of: try visit("/p\(number)"), asked: asked) }
        #expect(redirects[try visit("/p\(RecentRedirects.capacity - 1)"), at: asked] != nil)
        #expect(redirects[try visit("/p\(RecentRedirects.capacity)"), at: asked] == nil)
    }
}
