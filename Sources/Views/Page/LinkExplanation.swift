/// The page that explains what each device gets for an app link: for developers, in English.
public struct LinkExplanation: Sendable, Hashable {
    public var brand: Brand
    public var decisions: Decisions

    public enum Decisions: Sendable, Hashable {
        case groups([Group])
        /// The link is refused on every device, for a reason.
        case refused(String)
    }

    /// Devices with the decision for all of them.
    public struct Group: Sendable, Hashable {
        /// Their names.
        public var devices: [String]
        public var explanation: String
        public var targets: [Target]

        public init(devices: [String], explanation: String, targets: [Target]) {
            self.devices = devices
            self.explanation = explanation
            self.targets = targets
        }

        public func hasDecision(of other: Group) -> Bool { explanation == other.explanation && targets == other.targets }
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
        case .groups(let groups): [.devices: .list(groups.map(\.context))]
        case .refused(let reason): [.problem: .text(reason)]
        }
    }
}

extension LinkExplanation.Group {
    fileprivate var context: TemplateContext {
        [
            .name: .text(devices.joined(separator: " · ")), .text: .text(explanation),
            .targets: .list(targets.map { [.label: .text($0.use), .value: .address($0.url)] }),
        ]
    }
}
