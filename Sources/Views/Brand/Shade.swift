/// A button's fill and its label: at least 4.5:1 between them, and 3:1 between the fill and the card, so that the button is seen.
/// Source: WCAG 2.2, 1.4.3 and 1.4.11.
struct Shade: Sendable, Hashable {
    let fill: Colour
    let label: Colour

    init(_ hex: String, on card: Colour) throws(Accent.Refused) {
        guard let fill = Colour(hex: hex) else { throw Accent.Refused(colour: hex, nearest: nil) }
        let nearest = Shade(nearest: fill, on: card)
        guard nearest.fill == fill else { throw Accent.Refused(colour: hex, nearest: nearest.fill.description) }
        self = nearest
    }

    /// Moves `fill` away from the card in steps of a hundredth. Ends, as black stands off the light card and white off the dark one.
    init(nearest fill: Colour, on card: Colour) {
        let far: Colour = card.luminance > 0.5 ? .black : .white
        let steps = (0...100).lazy.map { fill.mixed(with: far, $0) }
        self.fill = steps.first { $0.contrast(to: card) >= 3 && $0.contrast(to: $0.label) >= 4.5 } ?? far
        label = self.fill.label
    }
}
