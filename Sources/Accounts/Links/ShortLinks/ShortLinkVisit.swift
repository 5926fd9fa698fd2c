public import Base

/// A kind of visits of one short link on one day, as they are counted: nothing in it tells a
/// visitor.
public struct ShortLinkVisit: Sendable, Hashable {
    /// Source: `DynamicLinkEventStat` of the Firebase Dynamic Links API.
    public enum DeviceKind: String, Sendable, CaseIterable {
        case android = "ANDROID"
        case apple = "IOS"
        case desktop = "DESKTOP"
    }

    public enum Event: String, Sendable, CaseIterable {
        /// The link was opened in a browser, whatever happened then. A phone that opens the app
        /// does not ask the server.
        case click = "CLICK"
        /// The browser was redirected at once, without a page.
        case redirect = "REDIRECT"
    }

    /// The id of the short link.
    public let link: Int
    /// The number of the day in UTC, from 1970-01-01.
    public let day: Int
    public let platform: DeviceKind
    public let event: Event

    public init(link: Int, day: Int, platform: DeviceKind, event: Event) {
        (self.link, self.day, self.platform, self.event) = (link, day, platform, event)
    }

    /// The number of the day of a moment.
    public static func day(of moment: Timestamp) -> Int { Int(moment.seconds / 86_400) }
}

/// The number of visits of one kind over some days.
public struct ShortLinkCount: Sendable, Hashable {
    public let platform: ShortLinkVisit.DeviceKind
    public let event: ShortLinkVisit.Event
    public let count: Int

    public init(platform: ShortLinkVisit.DeviceKind, event: ShortLinkVisit.Event, count: Int) {
        (self.platform, self.event, self.count) = (platform, event, count)
    }
}
