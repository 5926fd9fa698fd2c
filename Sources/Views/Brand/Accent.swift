/// The one colour of a project, on the light card and on the dark one, checked so that its button can be read and seen.
package struct Accent: Sendable, Hashable {
    let light: Shade
    let dark: Shade

    /// `light` and `dark` are `#rrggbb`; a missing `dark` is the nearest to `light` that can be seen in the dark.
    package init(light: String, dark: String? = nil) throws(Refused) {
        self.light = try Shade(light, on: .lightCard)
        if let dark {
            self.dark = try Shade(dark, on: .darkCard)
        } else {
            self.dark = Shade(nearest: self.light.fill, on: .darkCard)
        }
    }

    /// Onward's own, for a project that names none.
    package static let standard = Accent(light: Shade(nearest: Colour(red: 0x2f, green: 0x5b, blue: 0xd0), on: .lightCard))

    private init(light: Shade) {
        self.light = light
        dark = Shade(nearest: Colour(red: 0x9d, green: 0xb8, blue: 0xff), on: .darkCard)
    }

    /// The colour cannot be read or seen; `nearest` could be.
    package struct Refused: Error, Hashable, CustomStringConvertible {
        /// As it was given.
        package let colour: String
        /// Nil when `colour` is no colour.
        package let nearest: String?

        /// For whoever wrote the configuration.
        package var description: String {
            nearest.map { "the accent \(colour) is too faint on the page; the nearest that can be seen is \($0)" }
                ?? "the accent \(colour) is not a colour of the form #rrggbb"
        }
    }

    /// Appended to the style sheet, so it wins over the standard accent there.
    var rules: String {
        """

        :root{--accent:\(light.fill);--on-accent:\(light.label)}
        @media (prefers-color-scheme:dark){:root{--accent:\(dark.fill);--on-accent:\(dark.label)}}

        """
    }
}
