import Foundation

/// An sRGB colour.
struct Colour: Sendable, Hashable, CustomStringConvertible {
    let red, green, blue: UInt8

    static let white = Colour(red: 0xff, green: 0xff, blue: 0xff)
    static let black = Colour(red: 0, green: 0, blue: 0)
    /// The cards of `Public/onward.css` in light and in dark mode.
    static let lightCard = white
    static let darkCard = Colour(red: 0x1b, green: 0x1d, blue: 0x23)

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init?(hex: String) {
        guard hex.utf8.count == 7, hex.first == "#", hex.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }

    var description: String { "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The colour of a label on this colour: white if its contrast is enough, as users expect, else
    /// black. One of them always has enough.
    var label: Colour { contrast(to: .white) >= 4.5 ? .white : .black }

    /// The contrast ratio, 1...21. Source: WCAG 2.2, contrast ratio.
    func contrast(to other: Colour) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// The relative luminance, 0...1. Source: WCAG 2.2, relative luminance.
    var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The colour that is `hundredths` of the way to `other`.
    func mixed(with other: Colour, _ hundredths: Int) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Int(a) * (100 - hundredths) + Int(b) * hundredths) / 100) }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
