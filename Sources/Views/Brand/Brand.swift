/// How a project shows itself on pages and in mails. Made by `Views.brand`, so that the files it names exist.
package struct Brand: Sendable, Hashable {
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

    /// Everything that the brand's pages load from us; the paths change with their content, so they may be cached for ever.
    package var assets: [Asset] { [style, script, icon] + [logo].compactMap(\.self) }
}

extension Views {
    /// A project's brand; throws when `logo` (a file name in `Public/`) is missing or of no known kind.
    package func brand(name: String, logo: String? = nil, accent: Accent = .standard, help: String? = nil) throws(Unusable) -> Brand {
        Brand(
            name: name, help: help, accent: accent, style: files.style(with: accent), script: files.script, icon: files.icon,
            logo: try logo.map { file throws(Unusable) in try files.logo(file) })
    }
}
