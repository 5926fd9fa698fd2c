import Testing
@testable import Views

@Suite struct `An accent` {
    /// Source: WCAG 2.2 working examples.
    @Test(arguments: [("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#ffffff", "#ffffff", 1), ("#ff0000", "#ffffff", 4.0)])
    func `is measured as WCAG measures`(a: String, b: String, contrast: Double) throws {
        let (a, b) = (try #require(Colour(hex: a)), try #require(Colour(hex: b)))
        #expect(abs(a.contrast(to: b) - contrast) < 0.01 && a.contrast(to: b) == b.contrast(to: a))
    }

    @Test(arguments: ["#ffffff", "#ffc400", "#ccffcc", "#eeeeee"])
    func `is refused if its contrast is too low, with the nearest that is not`(
        hex: String
    ) throws {
        let refused = #expect(throws: Accent.Refused.self) { try Accent(light: hex) }
        let nearest = try #require(refused?.nearest)
        #expect(try Accent(light: nearest).light.fill.description == nearest)
    }

    @Test(arguments: ["#2f5bd0", "#000000", "#d81b60", "#00796b", "#777777", "#ff0000"])
    func `has enough contrast in light and in dark mode`(
        hex: String
    ) throws {
        let accent = try Accent(light: hex)
        for (shade, card) in [(accent.light, Colour.lightCard), (accent.dark, .darkCard)] {
            #expect(shade.fill.contrast(to: shade.label) >= 4.5 && shade.fill.contrast(to: card) >= 3)
        }
    }

    @Test(arguments: ["", "red", "#fff", "#12345g", "2f5bd0", "#2f5bd0;}*{", "#１２３４５６", "#+12345"]) func `is refused if it is not a colour`(
        hex: String
    ) {
        #expect(throws: Accent.Refused(colour: hex, nearest: nil)) { try Accent(light: hex) }
    }

    @Test func `for dark mode is checked on the dark card`() {
        #expect(throws: Accent.Refused.self) { try Accent(light: "#2f5bd0", dark: "#000000") }
    }
}

@Suite struct `A brand` {
    let views: Views

    init() throws { views = try Samples.views.get() }

    @Test func `loads one style sheet, whose path changes with the accent`() throws {
        let plain = try views.brand(name: "A")
        let red = try views.brand(name: "A", accent: Accent(light: "#b00020"))
        #expect(plain.style.path != red.style.path && plain.script.path == red.script.path)
        #expect(String(decoding: red.style.body, as: UTF8.self).contains("--accent:#b00020;--on-accent:#ffffff"))
        #expect(red.assets.allSatisfy { $0.path.hasPrefix(Asset.root) && !$0.contentType.isEmpty })
    }

    @Test(arguments: ["../Config/languages/en.json", "missing.svg", "onward.css", "", ".svg", "a/b.svg"])
    func `is refused if its logo is not an image in the folder`(logo: String) {
        #expect(throws: ResourceError.self) { try views.brand(name: "A", logo: .init(logo)) }
    }

    @Test func `shows its logo`() throws {
        let brand = try views.brand(name: "A", logo: .init("favicon.svg"))
        let page = views.text(Page(.error(ErrorPage(.notFound)), brand: brand, now: Samples.now), in: views.languages[0])
        let logo = try #require(brand.assets.last)
        #expect(Markup(page).all("img").first?.values["src"] == logo.path)
        #expect(Markup(page).all("img").first?.values["alt"] == "" && Markup(page).all("span").contains { $0.values["class"] == "name" })
        #expect(brand.icon == logo)
    }

    private func html(_ brand: Brand) -> String {
        views.text(Page(.error(ErrorPage(.notFound)), brand: brand, now: Samples.now), in: views.languages[0])
    }

    private func page(_ brand: Brand) -> Markup { Markup(html(brand)) }

    @Test func `does not write a name beside a logo that contains it`() throws {
        let brand = try views.brand(name: "Nordlicht", logo: .init("favicon.svg", hasName: true))
        #expect(page(brand).all("img").first?.values["alt"] == "Nordlicht")
        #expect(!page(brand).all("span").contains { $0.values["class"] == "name" })
        #expect(String(decoding: brand.icon.body, as: UTF8.self).contains(">N</text>"))
    }

    @Test func `shows its logo for dark pages, or the logo on a plate`() throws {
        let own = try OwnFolder(["Public/dark.png": "a picture"])
        defer { withExtendedLifetime(own) {} }
        let views = try own.views()
        func image(_ logo: Brand.LogoFiles) throws -> (sources: [String?], classes: String?) {
            let page = page(try views.brand(name: "A", logo: logo))
            return (page.all("source").map { $0.values["media"] }, page.all("img").first?.values["class"])
        }
        let (plain, dark, both) = (
            try image(.init("favicon.svg")), try image(.init("favicon.svg", dark: "dark.png")),
            try image(.init("favicon.svg", dark: "favicon.svg"))
        )
        #expect(plain.sources == [] && plain.classes == "logo plate")
        #expect(dark.sources == ["(prefers-color-scheme: dark)"] && dark.classes == "logo")
        #expect(both.sources == [] && both.classes == "logo")
    }

    /// A letter with its marks, of any script; the name of an app may begin with a sign.
    @Test(arguments: [
        ("sunlit notes", "S"), ("émile", "É"), ("e\u{301}mile", "E\u{301}"), ("ßigma", "ß"), ("ქართული", "ქ"), ("сон", "С"), ("ひかり", "ひ"),
        ("सूर्य", "सू"), ("أمل", "أ"), ("«Salto»", "S"), ("🌞 Notes", "N"), ("🌞", "🌞"), ("<b>", "B"), (" & ", "&"),
    ]) func `without a logo shows the first letter, on the page and in the tab`(name: String, letter: String) throws {
        let brand = try views.brand(name: name, accent: Accent(light: "#b00020"))
        #expect(html(brand).contains("<span class=\"letter\" aria-hidden=\"true\">\(letter.markup)</span>"))
        let icon = String(decoding: brand.icon.body, as: UTF8.self)
        #expect(icon.contains("rect{fill:#b00020}") && icon.contains(">\(letter.markup)</text>"))
    }

    @Test func `of no app has the icon of Onward and no letter`() throws {
        let brand = try views.ownBrand(name: nil)
        #expect(!page(brand).all("span").contains { $0.values["class"] == "letter" })
        #expect(String(decoding: brand.icon.body, as: UTF8.self).contains("<path"))
    }
}
