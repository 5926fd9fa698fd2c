/// The colour of a project's buttons in light and in dark mode, checked for contrast.
public struct Accent: Sendable, Hashable {
    let light: Shade
    let dark: Shade

    /// - Parameters:
    ///   - light: `#rrggbb`.
    ///   - dark: `#rrggbb`; default: the colour nearest to `light` with enough contrast in dark
    ///     mode.
    public init(light: String, dark: String? = nil) throws(Refused) {
        self.light = try Shade(light, on: .lightCard)
        if let dark {
            self.dark = try Shade(dark, on: .darkCard)
        } else {
            self.dark = Shade(nearest: self.light.fill, on: .darkCard)
        }
    }

    /// The accent of a project that names none.
    public static let standard = Accent(light: Shade(nearest: Colour(red: 0x2f, green: 0x5b, blue: 0xd0), on: .lightCard))

    private init(light: Shade) {
        self.light = light
        dark = Shade(nearest: Colour(red: 0x9d, green: 0xb8, blue: 0xff), on: .darkCard)
    }

    /// A colour that has too little contrast or is not a colour.
    public struct Refused: Error, Hashable, CustomStringConvertible {
        /// The colour as it was configured.
        public let colour: String
        /// The nearest colour with enough contrast; nil if `colour` is not a colour.
        public let nearest: String?

        public var description: String {
            nearest.map { "the accent \(colour) has too little contrast with the page; the nearest that has enough is \($0)" }
                ?? "the accent \(colour) is not a colour of the form #rrggbb"
        }
    }

    /// The CSS rules that are appended to the style sheet, where they override the standard accent.
    var rules: String {
        """

        :root{\(light.rules)}
        @media (prefers-color-scheme:dark){:root{\(dark.rules)}}

        """
    }
}

/// The fill and the label of a button, with a contrast of at least 4.5:1 between them and 3:1
/// between the fill and the card. Source: WCAG 2.2, 1.4.3 and 1.4.11.
struct Shade: Sendable, Hashable {
    let fill: Colour
    let label: Colour

    init(_ hex: String, on card: Colour) throws(Accent.Refused) {
        guard let fill = Colour(hex: hex) else { throw Accent.Refused(colour: hex, nearest: nil) }
        let nearest = Shade(nearest: fill, on: card)
        guard nearest.fill == fill else { throw Accent.Refused(colour: hex, nearest: nearest.fill.description) }
        self = nearest
    }

    /// The colour nearest to `fill` with enough contrast, found by mixing it with black on a light
    /// card and with white on a dark one.
    init(nearest fill: Colour, on card: Colour) {
        let far: Colour = card.luminance > 0.5 ? .black : .white
        let steps = (0...100).lazy.map { fill.mixed(with: far, $0) }
        self.fill = steps.first { $0.contrast(to: card) >= 3 && $0.contrast(to: $0.label) >= 4.5 } ?? far
        label = self.fill.label
    }

    /// The custom properties. A pressed button is mixed with the opposite of its label, so that the
    /// label keeps its contrast.
    fileprivate var rules: String {
        "--accent:\(fill);--on-accent:\(label);--press:\(label == .white ? Colour.black : .white)"
    }
}
