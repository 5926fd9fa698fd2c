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
    /// The icon of the browser's tab, which browsers also request as `/favicon.ico`: the operator's
    /// own, else the logo if it is a sign without the name, else the letter.
    public let icon: Asset
    /// Nil: the letter stands for it.
    let logo: Logo?

    fileprivate init(
        name: String?, links: Links, accent: Accent, timeZone: NamedTimeZone, style: Asset, script: Asset, icon: Asset, logo: Logo?
    ) {
        (self.name, self.links, self.accent, self.timeZone) = (name, links, accent, timeZone)
        (self.style, self.script, self.icon, self.logo) = (style, script, icon, logo)
    }

    /// The first letter of the name, which stands for a logo. Nil without a name.
    var letter: String? { name?.letter }

    /// The files of a logo, by their names in `Public/`.
    public struct LogoFiles: Sendable, Hashable {
        public var picture: String
        /// The logo for dark pages; nil: there is none.
        public var dark: String?
        /// The logo for mails; nil: the same, if mail programs show it.
        public var mail: String?
        /// Whether the logo contains the name of the app.
        public var hasName: Bool

        public init(_ picture: String, dark: String? = nil, mail: String? = nil, hasName: Bool = false) {
            (self.picture, self.dark, self.mail, self.hasName) = (picture, dark, mail, hasName)
        }
    }

    struct Logo: Sendable, Hashable {
        let picture: Asset
        /// Nil: dark pages show the logo on a plate.
        let dark: Asset?
        /// Nil: mails show the letter.
        let mail: Mailed?
        let hasName: Bool

        struct Mailed: Sendable, Hashable {
            let picture: Asset
            let size: PictureSize
        }
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
    public var assets: [Asset] { [style, script, icon] + [logo?.picture, logo?.dark, logo?.mail?.picture].compactMap(\.self) }
}

extension Views {
    /// Makes a project's brand. Throws if a file of the logo is missing or has an unknown type.
    /// - Parameter name: nil for pages whose app is not known.
    public func brand(
        name: String?, logo files: Brand.LogoFiles? = nil, accent: Accent = .standard, links: Brand.Links = Brand.Links(),
        timeZone: NamedTimeZone = .utc
    ) throws(ResourceError) -> Brand {
        guard ![name, links.help, links.home, links.terms, links.privacy].contains(where: { $0?.containsMark == true }) else {
            throw ResourceError(file: "the brand \(name ?? "")", problem: "contains a character that Unicode reserves for programs")
        }
        let logo = try files.map { (files) throws(ResourceError) in try read(files) }
        let sign = logo.flatMap { $0.hasName ? nil : $0.picture }
        return Brand(
            name: name, links: links, accent: accent, timeZone: timeZone, style: self.files.style(with: accent), script: self.files.script,
            icon: self.files.ownIcon ?? sign ?? name.flatMap { self.files.icon(of: $0, accent) } ?? self.files.icon, logo: logo)
    }

    /// The brand of Onward itself, whose icon is its own.
    public func ownBrand(name: String?) throws(ResourceError) -> Brand {
        Brand(
            name: name, links: Brand.Links(), accent: .standard, timeZone: .utc, style: files.style(with: .standard), script: files.script,
            icon: files.icon, logo: nil)
    }

    private func read(_ names: Brand.LogoFiles) throws(ResourceError) -> Brand.Logo {
        let picture = try files.logo(names.picture)
        let mailed = try names.mail.map { (name) throws(ResourceError) in try files.logo(name) }
        let size = PictureSize(of: (mailed ?? picture).body)?.fitting(.largestMailedLogo)
        if let name = names.mail, size == nil {
            throw ResourceError(file: "Public/" + name, problem: "a logo for mails is a png or jpg file")
        }
        return Brand.Logo(
            picture: picture, dark: try names.dark.map { (name) throws(ResourceError) in try files.logo(name) },
            mail: size.map { Brand.Logo.Mailed(picture: mailed ?? picture, size: $0) }, hasName: names.hasName)
    }
}
