/// The page behind an app link, on a device whose app did not open by itself.
public struct OpenAppPage: Sendable, Hashable {
    /// The URLs that open the app, the best first.
    public var open: [String]
    /// The app's page in its store.
    public var store: String?
    /// The URL that a button copies, for an app that asks for it after its installation.
    public var copied: String?
    /// The link's page on the web.
    public var web: ContinueLink
    /// The URL that a script takes a Mac to, because a server cannot tell it from an iPad.
    public var webOfMac: String?
    /// The versions of the app that a script sends to the store.
    public var outdated: Outdated?
    /// The words that previews of the link show, for the programs that make them.
    public var preview: LinkPreview?

    public init(
        open: [String] = [], store: String? = nil, copied: String? = nil, web: ContinueLink, webOfMac: String? = nil,
        outdated: Outdated? = nil,
        preview: LinkPreview? = nil
    ) {
        self.open = open
        self.store = store
        self.copied = copied
        self.web = web
        self.webOfMac = webOfMac
        self.outdated = outdated
        self.preview = preview
    }

    /// Versions of the app that are too old for the link.
    public struct Outdated: Sendable, Hashable {
        /// The path of the web app manifest, which identifies the app to the browser.
        public let manifest: String
        /// The app's id in the manifest.
        public var app: String
        /// The names of the versions, as a JSON array.
        public var versions: String
        /// The app's page in its store, which the script opens.
        public var store: String

        public init(manifest: String, app: String, versions: String, store: String) {
            (self.manifest, self.app, self.versions, self.store) = (manifest, app, versions, store)
        }
    }
}

/// The title, the description and the image in the preview of a link. Words that are nil are those
/// of the page.
public struct LinkPreview: Sendable, Hashable {
    public var title: String?
    public var description: String?
    /// The https URL of the image.
    public var image: String?

    public init(title: String? = nil, description: String? = nil, image: String? = nil) {
        self.title = title
        self.description = description
        self.image = image
    }
}

extension OpenAppPage {
    func context(in language: Language, _ brand: Brand) -> TemplateContext {
        let phrases = language.phrases.openApp
        let heading = Phrases.Heading(title: phrases.title, lead: phrases.lead)
        var ways = open.enumerated().map {
            TemplateContext(link: $0 == 0 ? phrases.button : phrases.another, brand.arguments, to: $1, isMain: true)
        }
        if let store {
            let reason: TemplateContext = ways.isEmpty ? [:] : [.text: .phrase(phrases.after, brand.arguments)]
            ways.append(TemplateContext(link: phrases.store, brand.arguments, to: store, isMain: true).merging(reason) { own, _ in own })
        }
        if case .to(let host, let url) = web {
            ways.append(TemplateContext(link: phrases.web, [.host: .address(host)], to: url, isMain: true))
        }
        var context = TemplateContext(heading, brand.arguments)
        // One button; the other ways are links, beside their reason where there is one.
        context[.links] = .list(Array(ways.prefix(1)))
        context[.others] = .list(Array(ways.dropFirst()))
        context[.copy] = copied.map {
            .group([
                .button: .phrase(phrases.copy, [:]), .value: .phrase(phrases.copyWhy, [:]), .text: .plain(phrases.copied, [:]),
                .href: .text($0),
            ])
        }
        context[.desktop] = webOfMac.map { .text($0) }
        context[.manifest] = outdated.map { .text($0.manifest) }
        context[.outdated] = outdated.map {
            .group([
                .id: .text($0.app), .value: .text($0.versions), .button: .phrase(phrases.store, brand.arguments), .href: .text($0.store),
            ])
        }
        context[.preview] = preview.map { preview in
            var group: TemplateContext = [
                .title: preview.title.map { .text($0) } ?? .plain(heading.title, brand.arguments),
                .text: preview.description.map { .text($0) } ?? .plain(heading.lead, brand.arguments),
            ]
            group[.name] = brand.name.map { .text($0) }
            group[.image] = preview.image.map { .text($0) }
            return .group(group)
        }
        return context
    }
}

extension OpenAppPage {
    mutating func extract(into texts: inout PageTexts) {
        for index in open.indices { texts.take(&open[index]) }
        texts.take(&store)
        texts.take(&copied)
        texts.take(&web)
        texts.take(&webOfMac)
        texts.take(&outdated)
        texts.take(&preview)
    }
}
