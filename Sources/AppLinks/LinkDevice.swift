internal import Foundation

/// The device and the browser that opened an app link, as the request's fields describe them.
///
/// Nothing depends on it but what a page offers: programs send the fields of any browser, so it is
/// never a reason to apply a code (C6).
public struct LinkDevice: Sendable, Hashable {
    public enum Kind: Sendable, Hashable, CaseIterable {
        case android, iPhone, iPad, desktop
        /// A program that reads the link: a preview of a chat, a search engine, a mail scanner.
        case automated
    }

    public var kind: Kind
    /// Whether an app shows the page in its own web view, which may block links to other apps.
    public var isInApp = false
    /// Whether an Android device is known to come without the Play Store.
    public var lacksPlay = false
    /// Whether it is a Mac or an iPad, whose Safari sends the same fields. A script can tell them
    /// apart by the number of touch points.
    public var mayBeIPad = false

    public init(_ kind: Kind, isInApp: Bool = false, lacksPlay: Bool = false, mayBeIPad: Bool = false) {
        self.kind = kind
        self.isInApp = isInApp
        self.lacksPlay = lacksPlay
        self.mayBeIPad = mayBeIPad
    }
}

extension LinkDevice {
    /// Reads the fields of a request. Only well-known words are recognised, within the first
    /// kilobyte.
    ///
    /// Source: the words that the vendors of browsers and programs document.
    /// - Parameter platform: the client hint `Sec-CH-UA-Platform`, which Chromium sends.
    public init(userAgent: String, platform: String? = nil) {
        let text = String(decoding: userAgent.utf8.prefix(1024), as: UTF8.self)
        func names(_ words: StaticString...) -> Bool { Self.names(any: words, in: text) }

        guard !Self.isAutomated(text) else {
            self.init(.automated)
            return
        }
        let hint = platform?.filter { $0 != "\"" }
        let isLikePhone = names("like Android", "like iPhone", "X11;", "Windows", "CrOS", "Tizen", "KAIOS", "KaiOS", "AppleTV", "Apple TV")
        if hint != "Android", !isLikePhone, names("iPad", "iPhone", "iPod", "(iOS") {
            self.init(names("iPad") ? .iPad : .iPhone)
            isInApp = !names("Safari/") || Self.isApp(text)
        } else if hint == "Android" || !isLikePhone && names("Android", "Adr ", "Silk-Accelerated") {
            self.init(.android)
            isInApp = names("; wv)") || Self.isApp(text)
            lacksPlay = names("Silk/", "Silk-Accelerated", "HuaweiBrowser/", "HMSCore", "HarmonyOS")
        } else if names("Macintosh"), names("CriOS/", "FxiOS/", "EdgiOS/", " Mobile/") {
            // Other browsers of iPads name themselves where they ask for desktop sites.
            self.init(.iPad)
        } else {
            self.init(.desktop)
            mayBeIPad = hint == nil && names("Macintosh") && names("AppleWebKit/") && !names("Chrome/")
        }
    }

    /// Whether the text contains one of the words, which are C strings already.
    private static func names(any words: [StaticString], in text: String) -> Bool {
        text.withCString { text in
            words.contains { strstr(text, UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self)) != nil }
        }
    }

    /// Whether the fields are those of an app that shows pages in its own web view.
    private static func isApp(_ text: String) -> Bool { names(any: apps, in: text) }

    private static let apps: [StaticString] = [
        "FBAN/", "FBAV/", "FB_IAB", "Instagram", "MetaIAB", "Line/", "MicroMessenger/", "Snapchat", "Pinterest", "Twitter", "LinkedInApp",
        "GSA/", "musical_ly", "BytedanceWebview", "trill_", "KAKAOTALK", "NAVER(", "AliApp(", "Slack", "TelegramBot",
    ]

    /// Whether a program sent the request. Browsers for people start with the name of one that is
    /// long gone; programs name themselves or an address to complain to.
    private static func isAutomated(_ text: String) -> Bool {
        guard text.hasPrefix("Mozilla/") || text.hasPrefix("Opera/") else { return true }
        let text = text.lowercased()
        return names(any: programs, in: text) || namesRobot(text)
    }

    private static let programs: [StaticString] = [
        "crawl", "spider", "slurp", "preview", "fetch", "monitor", "http:", "https:", "mailto:", "www.", "curl/", "wget", "python",
        "headless", "externalhit", "facebookcatalog", "whatsapp/", "validator", "checker", "archive", "lighthouse", "phantomjs",
        "google-", "-google", "google favicon", "google page", "googleimageproxy", "snippet", "barracuda", "survey", "-agent", "uptime",
        "prerender", "cfnetwork/", "transcoder", "jeeves", "httrack", "cardyb",
    ]

    /// Whether a word ends in `bot`, except for the phones of Cubot.
    private static func namesRobot(_ text: String) -> Bool {
        guard names(any: ["bot"], in: text) else { return false }
        let words = text.utf8.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return words.contains { $0.suffix(3).elementsEqual("bot".utf8) && !$0.suffix(5).elementsEqual("cubot".utf8) }
    }
}
