/// The colour scheme in which the gallery shows pages and mails, whatever the browser prefers.
public enum ColourScheme: String, Sendable, Hashable, CaseIterable {
    case light, dark

    /// The HTML of a page or mail, or a style sheet, in this scheme.
    fileprivate func shown(_ text: String) -> String {
        text.replacing(#/\(prefers-color-scheme: ?dark\)/#, with: self == .dark ? "all" : "not all").replacing("light dark", with: rawValue)
    }

    /// The HTML of a page or mail in this scheme.
    /// - Parameter path: the path of the brand's style sheet in this scheme. Its query changes with
    ///   the content.
    public func html(_ html: String, of brand: Brand, styledBy path: String) -> String {
        let version = brand.style.path.dropFirst(Asset.root.count).prefix { $0 != "/" }
        return shown(html).replacing(brand.style.path, with: "\(path)?scheme=\(rawValue)&amp;version=\(version)")
    }

    /// The style sheet of a brand in this scheme.
    public func styleSheet(of brand: Brand) -> String { shown(String(decoding: brand.style.body, as: UTF8.self)) }
}
