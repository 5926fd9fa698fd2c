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
        (context[.logo], context[.letter]) = (nil, letter.map { .text($0) })
        if let origin, let mailed = logo?.mail {
            context[.letter] = nil
            // Mails have one picture, in light and in dark.
            context[.plate] = logo?.dark == mailed.picture ? nil : .flag
            context[.logo] = .text(origin + mailed.picture.path)
            context[.logoWidth] = .text("\(mailed.size.width)")
            context[.logoHeight] = .text("\(mailed.size.height)")
        } else {
            context[.logoHasName] = nil
        }
        return context
    }
}

extension PictureSize {
    /// A logo is as high as on the pages.
    static let largestMailedLogo = PictureSize(width: 240, height: 32)
}
