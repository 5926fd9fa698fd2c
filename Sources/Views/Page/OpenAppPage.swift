/// The page behind an app link, on a device whose app did not open by itself.
package struct OpenAppPage: Sendable, Hashable {
    /// The URLs that open the app, the best first.
    package var open: [String]
    /// The app's page in its store.
    package var store: String?
    /// The URL that a button copies, for an app that asks for it after its installation.
    package var copied: String?
    /// The link's page on the web.
    package var web: ContinueLink
    /// The URL to which a script takes a Mac, which a server cannot tell from an iPad.
    package var webOfMac: String?
    /// The words that previews of the link show, for the programs that make them.
    package var preview: LinkPreview?

    package init(
        open: [String] = [], store: String? = nil, copied: String? = nil, web: ContinueLink, webOfMac: String? = nil, preview: LinkPreview? = nil
    ) {
        self.open = open
        self.store = store
        self.copied = copied
        self.web = web
        self.webOfMac = webOfMac
        self.preview = preview
    }
}

/// The title, the description and the image in the preview of a link. Words that are nil are those
/// of the page.
package struct LinkPreview: Sendable, Hashable {
    package var title: String?
    package var description: String?
    /// The https URL of the image.
    package var image: String?

    package init(title: String? = nil, description: String? = nil, image: String? = nil) {
        self.title = title
        self.description = description
        self.image = image
    }
}

extension OpenAppPage {
    func context(in language: Language, _ brand: Brand) -> TemplateContext {
        let phrases = language.phrases.openApp
        let heading = Phrases.Heading(title: phrases.title, lead: phrases.lead)
        var ways = open.enumerated().map { ($0 == 0 ? phrases.button : phrases.another, brand.arguments, $1) }
        if let store { ways.append((phrases.store, brand.arguments, store)) }
        if case .to(let host, let url) = web { ways.append((phrases.web, [.host: .address(host)], url)) }
        var context = TemplateContext(heading, brand.arguments)
        context[.links] = .list(ways.enumerated().map { TemplateContext(link: $1.0, $1.1, to: $1.2, isMain: $0 == 0) })
        context[.closing] = store.map { _ in .phrase(phrases.after, brand.arguments) }
        context[.copy] = copied.map {
            .group([.button: .phrase(phrases.copy, [:]), .text: .plain(phrases.copied, [:]), .href: .text($0)])
        }
        context[.desktop] = webOfMac.map { .text($0) }
        context[.preview] = preview.map { preview in
            var group: TemplateContext = [
                .title: preview.title.map { .text($0) } ?? .plain(heading.title, brand.arguments),
                .text: preview.description.map { .text($0) } ?? .plain(heading.lead, brand.arguments), .name: .text(brand.name),
            ]
            group[.image] = preview.image.map { .text($0) }
            return .group(group)
        }
        return context
    }
}
