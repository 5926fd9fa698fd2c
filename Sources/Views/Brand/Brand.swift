/// The look of a project on pages and in mails, and the time zone of their dates. Only
/// `Views.brand` makes one, so the files that it names exist. There is one object for each project;
/// equality is identity.
public final class Brand: Sendable, Hashable {
    /// The name of the app; nil on pages whose app is not known.
    public let name: String?
    public let links: Links
    let accent: Accent
    let timeZone: NamedTimeZone
    let style: Asset
    let script: Asset
    /// The icon, which browsers also request as `/favicon.ico`.
    public let icon: Asset
    let logo: Asset?
    /// The size of the logo in mails; nil if mail programs do not show pictures of its type.
    let mailedLogoSize: PictureSize?

    fileprivate init(
        name: String?, links: Links, accent: Accent, timeZone: NamedTimeZone, style: Asset, script: Asset, icon: Asset, logo: Asset?
    ) {
        (self.name, self.links, self.accent, self.timeZone) = (name, links, accent, timeZone)
        (self.style, self.script, self.icon, self.logo) = (style, script, icon, logo)
        mailedLogoSize = logo.flatMap { PictureSize(of: $0.body) }?.fitting(.largestMailedLogo)
    }

    /// The addresses of the app that its pages link to.
    public struct Links: Sendable, Hashable {
        /// The address for help: an e-mail address or an https URL.
        public var help: String?
        /// The URL of the app's home page.
        public var home: String?
        /// The URLs of the terms of use and of the privacy policy.
        public var terms, privacy: String?

        public init(help: String? = nil, home: String? = nil, terms: String? = nil, privacy: String? = nil) {
            (self.help, self.home, self.terms, self.privacy) = (help, home, terms, privacy)
        }
    }

    public static func == (a: Brand, b: Brand) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Every file that the brand's pages load. A path changes with its content, so responses can be
    /// cached forever.
    public var assets: [Asset] { [style, script, icon] + [logo].compactMap(\.self) }
}

extension Views {
    /// Makes a project's brand. Throws if the logo is missing or has an unknown type.
    /// - Parameters:
    ///   - name: nil for pages whose app is not known.
    ///   - logo: the name of a file in `Public/`.
    public func brand(
        name: String?, logo: String? = nil, accent: Accent = .standard, links: Brand.Links = Brand.Links(), timeZone: NamedTimeZone = .utc
    ) throws(ResourceError) -> Brand {
        guard ![name, links.help, links.home, links.terms, links.privacy, logo].contains(where: { $0?.containsMark == true }) else {
            throw ResourceError(file: "the brand \(name ?? "")", problem: "contains a character that Unicode reserves for programs")
        }
        return Brand(
            name: name, links: links, accent: accent, timeZone: timeZone, style: files.style(with: accent), script: files.script,
            icon: files.icon, logo: try logo.map { file throws(ResourceError) in try files.logo(file) })
    }
}
