import Foundation

/// The tags of a page as a browser reads them, parsed independently of the renderer.
struct Markup {
    struct Tag: Hashable {
        /// The name in lower case, with `/` in front for an end tag.
        var name: String
        var attributes: [String]
        var values: [String: String]

        /// The tag without its values. Texts from users and clients must not change it.
        var shape: String { "<\(name) \(attributes.joined(separator: " "))>" }
    }

    var tags: [Tag] = []
    /// The decoded text between the tags.
    var text = ""

    init(_ html: String) {
        var rest = Substring(html)
        while let open = rest.firstIndex(of: "<") {
            text += decoded(rest[..<open])
            rest = rest[open...].dropFirst()
            let isEnd = rest.first == "/"
            if isEnd { rest.removeFirst() }
            guard let first = rest.unicodeScalars.first, first.properties.isAlphabetic, first.isASCII || rest.first == "!" else {
                if rest.first == "!" { rest = rest[(rest.firstIndex(of: ">") ?? rest.startIndex)...].dropFirst() } else { text += "<" }
                continue
            }
            var scalars = rest.unicodeScalars
            let name = take(&scalars) { !" \n\t/>".unicodeScalars.contains($0) }
            var tag = Tag(name: (isEnd ? "/" : "") + name.lowercased(), attributes: [], values: [:])
            while true {
                _ = take(&scalars) { " \n\t/".unicodeScalars.contains($0) }
                guard let next = scalars.first, next != ">" else { break }
                let key = take(&scalars) { !" \n\t/>=".unicodeScalars.contains($0) }
                var value = ""
                if scalars.first == "=" {
                    scalars.removeFirst()
                    if let quote = scalars.first, quote == "\"" || quote == "'" {
                        scalars.removeFirst()
                        value = take(&scalars) { $0 != quote }
                        scalars = scalars.dropFirst()
                    } else {
                        value = take(&scalars) { !" \n\t>".unicodeScalars.contains($0) }
                    }
                }
                if key.isEmpty && value.isEmpty { scalars = scalars.dropFirst() } else { tag.attributes.append(key) }
                tag.values[key] = decoded(Substring(value))
            }
            tags.append(tag)
            rest = Substring(scalars.dropFirst())
        }
        text += decoded(rest)
    }

    func all(_ name: String) -> [Tag] { tags.filter { $0.name == name } }
    var ids: Set<String> { Set(tags.compactMap { $0.values["id"] }) }
}

private func take(_ scalars: inout Substring.UnicodeScalarView, _ isWanted: (Unicode.Scalar) -> Bool) -> String {
    let end = scalars.firstIndex { !isWanted($0) } ?? scalars.endIndex
    defer { scalars = scalars[end...] }
    return String(scalars[..<end])
}

private func decoded(_ text: Substring) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&")]
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    return entities.reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
}
