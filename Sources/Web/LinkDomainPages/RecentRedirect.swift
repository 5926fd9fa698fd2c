internal import Accounts
internal import AppLinks
internal import Base

/// A redirect of a short link within the last second, so that a link that many people open at once
/// is looked up and decided about once. Nothing has to tell the cache of a change: a redirect is
/// forgotten after the second, so a link that is disabled ends then.
struct RecentRedirect: Sendable {
    /// Everything that a redirect depends on, besides the settings.
    struct Visit: Hashable, Sendable {
        let domain: LinkDomain
        let path: ShortLinkPath
        let device: LinkDevice
    }

    /// The id of the short link.
    let link: Int
    let target: String
    /// Whether something was undone that mail programs do to links.
    var isMended = false

    /// An empty cache, large enough for the links that are opened in a second. The second of a
    /// redirect begins before its link is looked up.
    static func cache() -> BoundedCache<Visit, RecentRedirect> { BoundedCache(capacity: 10_000, lifetime: .seconds(1)) }
}
