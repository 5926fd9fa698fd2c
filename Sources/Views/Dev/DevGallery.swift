/// The gallery of `onward dev`: the states of the pages and mails of a project, in frames.
public struct DevGallery: Sendable, Hashable {
    /// A part of the gallery.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case before, after, trouble, appLinks, mails

        var title: String {
            switch self {
            case .before: "Before the press"
            case .after: "After it"
            case .trouble: "When something is wrong"
            case .appLinks: "App links"
            case .mails: "Mails"
            }
        }
    }

    /// The width of the frames, in CSS pixels.
    public enum Width: Int, Sendable, Hashable, CaseIterable { case small = 320, phone = 390, mail = 600, desktop = 1280 }

    public var brand: Brand
    /// The name of the app whose pages and mails are shown.
    public var app: String
    public var part = Part.before
    public var language: Language
    public var languages: [Language]
    public var scheme = ColourScheme.light
    public var width = Width.phone
    /// The names of the states.
    public var states: [String] = []

    public init(brand: Brand, app: String, language: Language, languages: [Language]) {
        (self.brand, self.app, self.language, self.languages) = (brand, app, language, languages)
    }

    /// The address of a state, for a frame or a tab.
    private func address(of state: String) -> String {
        "/emulator/gallery/frame?state=\(state)&lang=\(language.code)&scheme=\(scheme.rawValue)"
    }

    var context: TemplateContext {
        var context = brand.layout
        context[.name] = .name(app)
        context[.fields] = .list([
            Self.field("part", "What", Part.allCases.map { ($0.rawValue, $0.title, $0 == part) }),
            Self.field("lang", "Language", languages.map { ($0.code, $0.name, $0 == language) }),
            Self.field("width", "Width", Width.allCases.map { ("\($0.rawValue)", "\($0.rawValue) px", $0 == width) }),
            Self.field("scheme", "Colours", ColourScheme.allCases.map { ($0.rawValue, $0 == .light ? "Light" : "Dark", $0 == scheme) }),
        ])
        context[.heading] = .text(part.title)
        context[.width] = .text("\(width.rawValue)")
        context[.states] = .list(
            states.map { [.id: .text($0), .name: .text($0.replacing("mail-", with: "")), .href: .text(address(of: $0))] })
        return context
    }

    private static func field(_ id: String, _ label: String, _ options: [(value: String, name: String, isChosen: Bool)]) -> TemplateContext
    {
        let rows = options.map { option -> TemplateContext in
            [.value: .text(option.value), .name: .text(option.name), .selected: option.isChosen ? .flag : nil].compactMapValues(\.self)
        }
        return [.id: .text(id), .label: .text(label), .rows: .list(rows)]
    }
}
