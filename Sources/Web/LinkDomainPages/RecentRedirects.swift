internal import Accounts
internal import AppLinks
internal import Base

/// The redirects of short links within one second, so that a link that many people open at once is
/// looked up and decided about once. Nothing has to tell it of a change: all are forgotten after
/// the second, so a link that is disabled ends then.
struct RecentRedirects: Sendable {
    /// Everything that a redirect depends on, besides the settings.
    struct Visit: Hashable, Sendable {
        let domain: LinkDomain
        let path: ShortLinkPath
        let device: LinkDevice
    }

    struct Redirect: Sendable {
        /// The id of the short link.
        let link: Int
        let target: String
        /// Whether something was undone that mail programs do to links.
        var isMended = false
    }

    private struct Second {
        var start: ContinuousClock.Instant
        var redirects: [Visit: Redirect] = [:]

        func contains(_ moment: ContinuousClock.Instant) -> Bool { moment >= start && moment < start + .seconds(1) }
    }

    /// Enough for the links that are opened in a second. Others are looked up.
    static let capacity = 10_000

    private let second = Locked(Second(start: .now))

    subscript(visit: Visit, at now: ContinuousClock.Instant) -> Redirect? {
        second.update { $0.contains(now) ? $0.redirects[visit] : nil }
    }

    /// - Parameter asked: a moment before the link was looked up.
    func remember(_ redirect: Redirect, of visit: Visit, asked: ContinuousClock.Instant) {
        second.update { second in
            if asked > second.start, !second.contains(asked) { second = Second(start: asked) }
            guard second.contains(asked), second.redirects.count < Self.capacity else { return }
            second.redirects[visit] = redirect
        }
    }
}
