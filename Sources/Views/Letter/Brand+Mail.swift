extension Brand {
    /// The values for the layout of every mail.
    /// - Parameter origin: the origin of the logo; nil: no logo.
    func mailContext(in language: Language, at origin: String?) -> TemplateContext {
        var context = context(in: language)
        context[.start] = .text(language.isRightToLeft ? "right" : "left")
        context[.appName] = name.map { .text($0) }
        context[.accent] = .text(accent.light.fill.description)
        context[.onAccent] = .text(accent.light.label.description)
        context[.accentDark] = .text(accent.dark.fill.description)
        context[.onAccentDark] = .text(accent.dark.label.description)
        context[.logo] = nil
        if let origin, let logo, let size = mailedLogoSize {
            context[.logo] = .text(origin + logo.path)
            context[.logoWidth] = .text("\(size.width)")
            context[.logoHeight] = .text("\(size.height)")
        }
        return context
    }
}

extension PictureSize {
    /// A logo is as high as on the pages.
    static let largestMailedLogo = PictureSize(width: 240, height: 32)
}
