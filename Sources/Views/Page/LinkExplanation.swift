/// The page that explains what each device gets for an app link: for developers, in English.
public struct LinkExplanation: Sendable, Hashable {
    public var brand: Brand
    public var decisions: Decisions

    public enum Decisions: Sendable, Hashable {
        case devices([Device])
        /// The link is refused on every device, for a reason.
        case refused(String)
    }

    /// One device with the decision for it.
    public struct Device: Sendable, Hashable {
        public var name: String
        /// Whether it is the device that asks.
        public var asks: Bool
        public var explanation: String
        public var targets: [Target]

        public init(name: String, asks: Bool, explanation: String, targets: [Target]) {
            self.name = name
            self.asks = asks
            self.explanation = explanation
            self.targets = targets
        }
    }

    /// A URL that a device is led to. It is shown as text and is not a link.
    public struct Target: Sendable, Hashable {
        public var use: String
        public var url: String

        public init(use: String, url: String) {
            self.use = use
            self.url = url
        }
    }

    public init(brand: Brand, decisions: Decisions) {
        self.brand = brand
        self.decisions = decisions
    }
}

extension LinkExplanation {
    var context: TemplateContext {
        var context = brand.layout
        context[.app] = brand.name.map { .name($0) }
        return context.merging(decisions.context) { own, _ in own }
    }
}

extension LinkExplanation.Decisions {
    var context: TemplateContext {
        switch self {
        case .devices(let devices): [.devices: .list(devices.map(\.context))]
        case .refused(let reason): [.problem: .text(reason)]
        }
    }
}

extension LinkExplanation.Device {
    fileprivate var context: TemplateContext {
        var context: TemplateContext = [
            .name: .text(name), .text: .text(explanation),
            .targets: .list(targets.map { [.label: .text($0.use), .value: .address($0.url)] }),
        ]
        context[.selected] = asks ? .flag : nil
        return context
    }
}
