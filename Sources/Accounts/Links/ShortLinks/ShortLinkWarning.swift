internal import AppLinks
internal import Base

/// A remark about a long link that got a short one all the same: a part of it has no effect.
public struct ShortLinkWarning: Sendable, Hashable {
    /// Source: `DynamicLinkWarning` of the Firebase Dynamic Links API. Its other codes are about
    /// links that Onward refuses.
    public enum Code: String, Sendable, CaseIterable {
        case unnecessaryAndroidVersion = "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"
        case unnecessaryAndroidLink = "UNNECESSARY_ANDROID_LINK"
        case unnecessaryCustomScheme = "UNNECESSARY_IOS_URL_SCHEME"
        case unnecessaryStoreID = "UNNECESSARY_IOS_APP_STORE_ID"
        case unusableImage = "NOT_URI_SOCIAL_IMAGE_LINK"
        case imageScheme = "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"
        case debug = "BAD_DEBUG_PARAM"
        case fragment = "LINK_WITH_FRAGMENTS"
        case unrecognizedParameter = "UNRECOGNIZED_PARAM"
    }

    public let code: Code
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension ShortLinkWarning {
    /// Parameters that have no effect without the app of their kind.
    private static let needsApp: [(AppLink.Parameter, of: AppLink.Parameter, Code)] = [
        (.amv, of: .apn, .unnecessaryAndroidVersion), (.afl, of: .apn, .unnecessaryAndroidLink), (.isi, of: .ibi, .unnecessaryStoreID),
        (.ius, of: .ibi, .unnecessaryCustomScheme), (.imv, of: .ibi, .unrecognizedParameter), (.ifl, of: .ibi, .unrecognizedParameter),
        (.ipbi, of: .ibi, .unrecognizedParameter), (.ipfl, of: .ibi, .unrecognizedParameter),
    ]

    /// The warnings about a long link, before its short link is made.
    static func all(about url: WebURL) -> [ShortLinkWarning] {
        let items = url.queryItems
        func has(_ key: AppLink.Parameter) -> Bool { items.contains { AppLink.Parameter(mailedName: $0.name) == key } }
        var warnings = needsApp.filter { has($0.0) && !has($0.of) }.map { parameter, app, code in
            ShortLinkWarning(code, "\(parameter.rawValue) has no effect without \(app.rawValue).")
        }
        if let image = items.first(where: { AppLink.Parameter(mailedName: $0.name) == .si })?.value {
            let scheme = (try? WebURL(image))?.scheme
            if scheme == nil { warnings.append(ShortLinkWarning(.unusableImage, "si is not a usable URL, and is left out.")) }
            if let scheme, scheme != "https" { warnings.append(ShortLinkWarning(.imageScheme, "si is not an https URL, and is left out.")) }
        }
        if has(.d) { warnings.append(ShortLinkWarning(.debug, "d is left out: add d=1 to the short link.")) }
        if url.fragment != nil { warnings.append(ShortLinkWarning(.fragment, "The text after # is left out.")) }
        if items.contains(where: { AppLink.Parameter(mailedName: $0.name) == nil }) {
            warnings.append(ShortLinkWarning(.unrecognizedParameter, "Parameters that app links do not have are left out."))
        }
        return warnings
    }
}
