extension String {
    /// The letter that stands for a logo: the first letter or digit of the name, as a capital where
    /// its script has them; otherwise its first sign. Nil for a name without any.
    var letter: String? {
        guard let first = first(where: { $0.isLetter || $0.isNumber }) ?? first(where: { !$0.isWhitespace }) else { return nil }
        // Its title case: fonts lack the upper case of Georgian, which is for whole words.
        let scalars = first.unicodeScalars
        let capital = scalars.first.map { $0.properties.titlecaseMapping + String(String.UnicodeScalarView(scalars.dropFirst())) }
        return capital.flatMap { $0.count == 1 ? $0 : nil } ?? String(first)
    }
}

extension PublicFiles {
    /// The icon with the letter of a name, in the colours of the buttons.
    func icon(of name: String, _ accent: Accent) -> Asset? {
        name.letter.map { letter in
            let svg = """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>rect{fill:\(accent.light.fill)}\
                text{fill:\(accent.light.label);font:600 20px system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;text-anchor:middle;\
                dominant-baseline:central}@media (prefers-color-scheme:dark){rect{fill:\(accent.dark.fill)}text{fill:\(accent.dark.label)}}\
                </style><rect width="32" height="32" rx="8"/><text x="16" y="17">\(letter.markup)</text></svg>
                """
            return Asset(name: icon.name, contentType: icon.contentType, body: Array(svg.utf8))
        }
    }
}
