package import Accounts

/// A kind of visits of one short link on one day, as they are counted: nothing in it tells a
/// visitor.
package struct ShortLinkVisit: Sendable, Hashable {
    /// Source: `DynamicLinkEventStat` of the Firebase Dynamic Links API.
    package enum DeviceKind: String, Sendable, CaseIterable {
        case android = "ANDROID"
        case apple = "IOS"
        case desktop = "DESKTOP"
    }

    package enum Event: String, Sendable, CaseIterable {
        /// The link was opened in a browser, whatever happened then. A phone that opens the app
        /// does not ask the server.
        case click = "CLICK"
        /// The browser was redirected at once, without a page.
        case redirect = "REDIRECT"
    }

    /// The id of the short link.
    package let link: Int
    /// The number of the day in UTC, from 1970-01-01.
    package let day: Int
    package let platform: DeviceKind
    package let event: Event

    package init(link: Int, day: Int, platform: DeviceKind, event: Event) {
        (self.link, self.day, self.platform, self.event) = (link, day, platform, event)
    }

    /// The number of the day of a moment.
    package static func day(of moment: Timestamp) -> Int { Int(moment.seconds / 86_400) }
}

/// The number of visits of one kind over some days.
package struct ShortLinkCount: Sendable, Hashable {
    package let platform: ShortLinkVisit.DeviceKind
    package let event: ShortLinkVisit.Event
    package let count: Int

    package init(platform: ShortLinkVisit.DeviceKind, event: ShortLinkVisit.Event, count: Int) {
        (self.platform, self.event, self.count) = (platform, event, count)
    }
}
