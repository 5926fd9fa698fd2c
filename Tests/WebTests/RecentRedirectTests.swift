import AppLinks
import Base
import Testing
@testable import Web

@Suite struct `The redirects of the last second` {
    private func visit(_ path: String) throws -> RecentRedirect.Visit {
        RecentRedirect.Visit(
            domain: try LinkDomain("links.example"), path: try #require(ShortLinkPath(path)), device: LinkDevice(.desktop))
    }

    private let redirect = RecentRedirect(link: 1, target: "https://app.example/")

    @Test func `are of links that were looked up within it`() throws {
        let redirects = RecentRedirect.cache()
        let asked = Uptime.now
        redirects.add(redirect, of: try visit("/a"), at: asked + .seconds(3600))
        // Its second is over in an hour; what was asked then may have changed.
        redirects.add(redirect, of: try visit("/b"), at: asked)
        #expect(redirects[try visit("/a"), at: asked + .seconds(3600)]?.target == redirect.target)
        #expect(redirects[try visit("/b"), at: asked + .seconds(3600)] == nil)
        #expect(redirects[try visit("/a"), at: asked + .seconds(3600) + .seconds(1)] == nil)
    }

    @Test func `are limited in number`() throws {
        let redirects = RecentRedirect.cache()
        for number in 0...20_000 { redirects.add(redirect, of: try visit("/p\(number)"), at: .zero) }
        #expect(redirects.count <= 10_000)
        #expect(redirects[try visit("/p20000"), at: .zero] != nil)
        #expect(redirects[try visit("/p0"), at: .zero] == nil)
    }
}
