public import Base

extension AppLink {
    /// Parses `/?link=…` or `/__/auth/links?link=…` on one of the link domains; unknown parameters
    /// are ignored (L7), and what mail programs do to links is undone (L6). The apps must be
    /// registered (R14). The caller checks that `destinations` are authorised.
    ///
    /// A link that carries a code is not refused for its apps, because its page has to be found
    /// even after an app was removed: it has only those that are registered.
    public init(_ url: WebURL, on linkDomains: [LinkDomain], apps: RegisteredApps) throws(FormatError) {
        try self.init(url, query: url.queryItems, on: linkDomains, apps: apps)
    }

    /// Parses a link whose parameters have been decoded.
    /// - Parameter page: the URL of the link, whose own query is not read.
    public init(
        _ page: WebURL, query items: [(name: String, value: String)], on linkDomains: [LinkDomain], apps: RegisteredApps
    ) throws(FormatError) {
        guard let domain = linkDomains.first(where: { $0.covers(page) }), let form = LinkForm(path: page.path) else {
            throw .notAnAppLink
        }
        let mailed = MailedQuery(ofAppLink: items)
        let query = try QueryParameters(mailed.items)

        guard let link = try query.webURL(.link) else { throw .missingLink }
        let inside = link.takingBack(mailed.actionLink)
        self.init(linkDomain: domain, link: inside, elsewhere: try query.webURL(.ofl))
        isMended = mailed.isMended || inside != link
        self.form = form
        android = try Self.app(Android.init(_:apps:), query, apps, isOptional: carriesCode)
        apple = try Self.app(Apple.init(_:apps:), query, apps, isOptional: carriesCode)
        skipsPage = query[.efr] == "1"
        // A preview is decoration: an unusable image does not refuse the link.
        preview = Preview(title: query[.st], description: query[.sd], image: try? query.webURL(.si))
        for key in Parameter.campaign + Parameter.appStore { analytics[key] = query[key] }
        asksForExplanation = query[.d] == "1"
        let nested = destinations.first { _, url in url.path != Self.actionPath && linkDomains.contains { $0.covers(url) } }
        if let nested { throw .nested(nested.parameter) }
    }

    /// Reads the parameters of one app.
    private static func app<App>(
        _ read: (QueryParameters, RegisteredApps) throws(FormatError) -> App?, _ query: QueryParameters, _ apps: RegisteredApps,
        isOptional: Bool
    ) throws(FormatError) -> App? {
        do throws(FormatError) { return try read(query, apps) } catch {
            guard isOptional else { throw error }
            return nil
        }
    }

    /// Whether a path is one of the two of app links. Other pages of the domain, such as the action
    /// page, are not app links.
    public static func isLinkPath(_ path: String) -> Bool { LinkForm(path: path) != nil }
}

extension AppLink.Android {
    fileprivate init?(_ query: AppLink.QueryParameters, apps: RegisteredApps) throws(AppLink.FormatError) {
        guard let name = query[.apn] else { return nil }
        guard apps.knows(androidPackage: name) else { throw .unknownPackage(name) }
        self.init(packageName: name, fallback: try query.webURL(.afl))
        guard let version = query[.amv] else { return }
        minimumVersion = Int(version)
        guard let minimumVersion, minimumVersion >= 0 else { throw .malformed(.amv) }
    }
}

extension AppLink.Apple {
    fileprivate init?(_ query: AppLink.QueryParameters, apps: RegisteredApps) throws(AppLink.FormatError) {
        guard let bundleID = query[.ibi] else { return nil }
        guard apps.knows(appleBundle: bundleID) else { throw .unknownBundle(bundleID) }
        self.init(bundleID: bundleID, appStoreID: query[.isi], customScheme: query[.ius])
        if let appStoreID, !apps.knows(appStoreID: appStoreID, of: bundleID) { throw .malformed(.isi) }
        if let customScheme, !apps.knows(customScheme: customScheme, of: bundleID) { throw .unknownScheme(customScheme) }
        minimumVersion = query[.imv]
        fallback = try query.webURL(.ifl)
        iPadFallback = try query.webURL(.ipfl)
        iPadBundleID = query[.ipbi]
        if let iPadBundleID, !apps.knows(appleBundle: iPadBundleID) { throw .unknownBundle(iPadBundleID) }
    }
}

extension AppLink.Parameter {
    /// The parameter of a name in a link that was mailed, in which `&amp;` may have replaced `&`.
    public init?(mailedName name: String) { self.init(rawValue: WebURL.unescapedName(name)) }
}

extension AppLink {
    /// The parameters of a link, each at most once.
    fileprivate struct QueryParameters {
        private var values: [Parameter: String] = [:]

        init(_ items: [(name: String, value: String)]) throws(FormatError) {
            for (name, value) in items {
                guard let key = Parameter(rawValue: name) else { continue }
                guard values.updateValue(value, forKey: key) == nil else { throw .duplicate(key) }
            }
        }

        subscript(key: Parameter) -> String? { values[key] }

        func webURL(_ key: Parameter) throws(FormatError) -> WebURL? {
            guard let text = values[key] else { return nil }
            let url: WebURL
            do { url = try WebURL(text) } catch { throw .invalidURL(key, error) }
            guard url.isWeb else { throw .notWeb(key) }
            return url
        }
    }

    /// The reason why a URL is not an app link of this server. It is shown on a page; there is no
    /// redirect.
    public enum FormatError: Error, Sendable, Hashable {
        /// The host is not a link domain, or the path is not one of app links.
        case notAnAppLink
        case missingLink
        case duplicate(Parameter)
        case invalidURL(Parameter, WebURL.ParseError)
        /// The URL of a parameter is not http or https.
        case notWeb(Parameter)
        /// The URL of a parameter leads to a link domain again, which could be a redirect loop.
        case nested(Parameter)
        case unknownPackage(String)
        case unknownBundle(String)
        case unknownScheme(String)
        case malformed(Parameter)

        /// A sentence for the log. It repeats no text that could be anything, such as a code.
        public var explanation: String {
            func named(_ text: String, if isWellFormed: Bool) -> String { isWellFormed ? " " + text : "" }
            return switch self {
            case .notAnAppLink: "This is not an app link of this server."
            case .missingLink: "The link has no link parameter."
            case .duplicate(let key): "The parameter \(key.rawValue) is given more than once."
            case .invalidURL(let key, let error): "The parameter \(key.rawValue) is not a usable URL: " + error.explanation
            case .notWeb(let key): "The parameter \(key.rawValue) is not an http or https URL."
            case .nested(let key): "The parameter \(key.rawValue) leads to a link domain again."
            case .unknownPackage(let name):
                "No Android app with the package name\(named(name, if: RegisteredApps.isPossibleID(name))) is registered."
            case .unknownBundle(let id): "No Apple app with the bundle id\(named(id, if: RegisteredApps.isPossibleID(id))) is registered."
            case .unknownScheme(let scheme): "The custom scheme\(named(scheme, if: WebURL.isAppScheme(scheme))) does not belong to the app."
            case .malformed(.isi): "The parameter isi is not the App Store id of the app."
            case .malformed(let key): "The parameter \(key.rawValue) is malformed."
            }
        }
    }
}

extension WebURL {
    /// An action link with the parameters that a decoding of the app link around it has torn off.
    /// Only the language or the first other one is still inside then.
    fileprivate func takingBack(_ parameters: [(name: String, value: String)]) -> WebURL {
        let code = ActionParameter.oobCode.rawValue
        guard path == AppLink.actionPath, parameters.contains(where: { $0.name == code }), !queryItems.contains(where: { $0.name == code })
        else { return self }
        return appending(query: parameters)
    }
}

extension AppLink {
    /// The most times that a nested URL is decoded. No real link is nested as deeply.
    private static let maxDecodings = 8

    /// Whether a text contains the name of the parameter of a one-time code, in any case and
    /// however it is escaped. A text that is still escaped after many decodings counts, too.
    public static func mentionsCode(_ text: String) -> Bool {
        var text = text
        for _ in 0..<maxDecodings {
            if containsCodeName(text) { return true }
            let decoded = WebURL.formDecoded(text)
            if decoded == text { return false }
            text = decoded
        }
        return true
    }

    /// Compares bytes, because combining characters would hide the name from a comparison of text.
    private static func containsCodeName(_ text: String) -> Bool {
        let (bytes, name) = (Array(text.utf8), Array("oobcode".utf8))
        return bytes.indices.contains { start in bytes[start...].prefix(name.count).lazy.map { $0 | 0x20 }.elementsEqual(name) }
    }
}
