/// A kind of device by the names of its browser and its system, such as Firefox and Android, as far
/// as they are known.
public struct NamedDevice: Sendable, Hashable {
    public var browser, system: String?

    public init(browser: String?, system: String?) { (self.browser, self.system) = (browser, system) }

    /// Nil if it has no name, or only names that could be taken for a link.
    func name(by phrases: Phrases.Facts) -> TemplateValue? {
        switch (browser?.plainName, system?.plainName) {
        case (let browser?, let system?): .phrase(phrases.deviceName, [.browser: .name(browser), .system: .name(system)])
        case (let name?, nil), (nil, let name?): .name(name)
        case (nil, nil): nil
        }
    }
}
