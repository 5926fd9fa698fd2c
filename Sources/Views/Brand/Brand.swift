/// The look of a project on pages and in mails, and the time zone of their dates. Only
/// `Views.brand` makes one, so the files that it names exist. There is one object for each project;
/// equality is identity.
package final class Brand: Sendable, Hashable {
    /// The name of the app.
    package let name: String
    /// The address for help: an e-mail address or an https URL.
    package let help: String?
    let accent: Accent
    let timeZone: NamedTimeZone
    let style: Asset
    let script: Asset
    /// The icon, which browsers also request as `/favicon.ico`.
    package let icon: Asset
    let logo: Asset?
    /// The size of the logo in mails; nil if mail programs do not show pictures of its type.
    let mailedLogoSize: PictureSize?

    fileprivate init(
        name: String, help: String?, accent: Accent, timeZone: NamedTimeZone, style: Asset, script: Asset, icon: Asset, logo: Asset?
    ) {
        (self.name, self.help, self.accent, self.timeZone) = (name, help, accent, timeZone)
        (self.style, self.script, self.icon, self.logo) = (style, script, icon, logo)
        mailedLogoSize = logo.flatMap { PictureSize(of: $0.body) }?.fitting(.largestMailedLogo)
    }

    package static func == (a: Brand, b: Brand) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Every file that the brand's pages load. A path changes with its content, so responses can be
    /// cached forever.
    package var assets: [Asset] { [style, script, icon] + [logo].compactMap(\.self) }
}

extension Views {
    /// Makes a project's brand. Throws if the logo is missing or has an unknown type.
    /// - Parameter logo: the name of a file in `Public/`.
    package func brand(
        name: String, logo: String? = nil, accent: Accent = .standard, help: String? = nil, timeZone: NamedTimeZone = .utc
    ) throws(ResourceError) -> Brand {
        guard ![name, help ?? "", logo ?? ""].contains(where: \.containsMark) else {
            throw ResourceError(file: "the brand \(name)", problem: "contains a character that Unicode reserves for programs")
        }
        return Brand(
            name: name, help: help, accent: accent, timeZone: timeZone, style: files.style(with: accent), script: files.script,
            icon: files.icon, logo: try logo.map { file throws(ResourceError) in try files.logo(file) })
    }
}
