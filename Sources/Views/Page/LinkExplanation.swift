/// The page that explains what each device gets for an app link: for developers, in English.
package struct LinkExplanation: Sendable, Hashable {
    package var brand: Brand
    /// The reason why the link is refused; nil: it is followed.
    package var refusal: String?
    package var devices: [Device]

    /// One device with the decision for it.
    package struct Device: Sendable, Hashable {
        package var name: String
        /// Whether it is the device that asks.
        package var asks: Bool
        package var explanation: String
        package var targets: [Target]

        package init(name: String, asks: Bool, explanation: String, targets: [Target]) {
            self.name = name
            self.asks = asks
            self.explanation = explanation
            self.targets = targets
        }
    }

    /// A URL to which a device is led. It is shown as text and is not a link.
    package struct Target: Sendable, Hashable {
        package var use: String
        package var url: String

        package init(use: String, url: String) {
            self.use = use
            self.url = url
        }
    }

    package init(brand: Brand, refusal: String? = nil, devices: [Device] = []) {
        self.brand = brand
        self.refusal = refusal
        self.devices = devices
    }
}

extension LinkExplanation {
    var context: TemplateContext {
        var context: TemplateContext = [
            .style: .text(brand.style.path), .icon: .text(brand.icon.path), .app: .name(brand.name),
            .devices: .list(devices.map(\.context)),
        ]
        context[.problem] = refusal.map { .text($0) }
        return context
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
