/// How a project shows itself on pages and in mails. Made by `Views.brand`, so that the files it names exist.
/// One for each project, and equal to itself alone.
package final class Brand: Sendable, Hashable {
    /// What people call the app.
    package let name: String
    /// Where to ask for help: an e-mail address or an https URL.
    package let help: String?
    let accent: Accent
    let style: Asset
    let script: Asset
    /// What browsers ask for as `/favicon.ico` where no page names it.
    package let icon: Asset
    let logo: Asset?

    fileprivate init(name: String, help: String?, accent: Accent, style: Asset, script: Asset, icon: Asset, logo: Asset?) {
        (self.name, self.help, self.accent) = (name, help, accent)
        (self.style, self.script, self.icon, self.logo) = (style, script, icon, logo)
    }

    package static func == (a: Brand, b: Brand) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Everything that the brand's pages load from us; the paths change with their content, so they may be cached for ever.
    package var assets: [Asset] { [style, script, icon] + [logo].compactMap(\.self) }
}

extension Views {
    /// A project's brand; throws when `logo` (a file name in `Public/`) is missing or of no known kind.
    package func brand(name: String, logo: String? = nil, accent: Accent = .standard, help: String? = nil) throws(Unusable) -> Brand {
        guard ![name, help ?? "", logo ?? ""].contains(where: \.holdsMark) else {
            throw Unusable(file: "the brand \(name)", problem: "holds a character that has no meaning outside of programs")
        }
        return Brand(
            name: name, help: help, accent: accent, style: files.style(with: accent), script: files.script, icon: files.icon,
            logo: try logo.map { file throws(Unusable) in try files.logo(file) })
    }
}
