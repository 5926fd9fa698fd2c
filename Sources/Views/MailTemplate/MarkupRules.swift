/// The elements, attributes and styles that a mail may have: those that mail programs show, and
/// none that could run or load anything but pictures.
enum MarkupRules {
    static let voidElements: Set = ["br", "hr", "img", "meta", "col", "wbr"]
    static let rawElements: Set = ["style", "title"]
    private static let documentElements: Set = ["head", "body", "title", "meta", "style"]
    /// Elements before which a browser closes an open `<p>`. Source: HTML, 13.2.6.4.7.
    private static let blocks: Set = [
        "p", "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "blockquote", "center", "address",
        "section", "article", "header", "footer", "main", "nav", "figure", "figcaption",
    ]
    private static let inline: Set = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
        "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    ]
    private static let others: Set = [
        "html", "caption", "col", "colgroup", "tbody", "thead", "tfoot", "tr", "td", "th", "li", "dt", "dd",
    ]

    private static let forbiddenAttributes: Set = [
        "srcset", "srcdoc", "action", "formaction", "ping", "data", "code", "codebase", "classid", "manifest", "poster", "lowsrc", "dynsrc",
        "longdesc", "usemap", "xlink:href", "cite", "profile",
    ]

    /// The objection to a start tag.
    /// - Parameter open: the elements around it.
    static func objection(to tag: MarkupTag, in open: OpenElements) -> (offset: Int, sentence: String)? {
        let name = tag.name
        guard blocks.contains(name) || inline.contains(name) || others.contains(name) || documentElements.contains(name) else {
            return (tag.offset, "the element <\(name)> has no place in a mail: mail programs remove it, or what it does is unsafe")
        }
        if documentElements.contains(name), !open.contains("html") {
            return (tag.offset, "<\(name)> needs a whole document: write <html> around it, or leave it out")
        }
        if name == "html", open.count > 0 { return (tag.offset, "<html> must be the outermost element") }
        if name == "a", open.contains("a") { return (tag.offset, "an <a> contains another <a>") }
        if blocks.contains(name), open.contains("p") { return (tag.offset, "a <p> cannot contain <\(name)>: close the <p> first") }
        var seen: Set<String> = []
        for attribute in tag.attributes {
            guard seen.insert(attribute.name).inserted else { return (attribute.offset, "\(attribute.name) appears twice in a tag") }
            if let sentence = objection(to: attribute, of: name) { return (attribute.offset, sentence) }
        }
        return nil
    }

    private static func objection(to attribute: MarkupTag.Attribute, of element: String) -> String? {
        let (name, value) = (attribute.name, attribute.value)
        switch name {
        case "href":
            guard element == "a" else { return "only an <a> may have href: mails load no other files" }
            let isAllowed = value == "{{link}}" || isAddress(value, of: ["https://", "http://", "mailto:", "tel:", "#"])
            return isAllowed ? nil : "an href must be {{link}} alone, or begin with https://, mailto: or tel:"
        case "src", "background":
            guard name == "background" || element == "img" else { return "only an <img> may have src: mails load no other files" }
            let isAllowed = value == "{{logo}}" || isAddress(value, of: ["https://"])
            return isAllowed ? nil : "a picture must be {{logo}} alone, or have an address that begins with https://"
        case "style": return value.contains("{{link}}") ? "{{link}} must not be in a style" : objection(toStyle: value)
        case "http-equiv":
            return ["content-type", "x-ua-compatible"].contains(value.lowercased()) ? nil : "http-equiv=\"\(value)\" has no place in a mail"
        default:
            if name.hasPrefix("on") { return "\(name) is an event handler, which mails must not have" }
            if forbiddenAttributes.contains(name) { return "the attribute \(name) has no place in a mail" }
            return value.contains("{{link}}") ? "{{link}} in a tag is only available as an href" : nil
        }
    }

    /// Whether an address begins with one of these, and hides nothing behind character references.
    private static func isAddress(_ value: String, of schemes: [String]) -> Bool {
        let plain = value.replacing("&amp;", with: "")
        return schemes.contains { plain.lowercased().hasPrefix($0) } && !plain.contains("{{")
            && plain.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0 != "&" && $0 != "\\" }
    }

    /// The objection to a style sheet, or to the value of a `style` attribute.
    static func objection(toStyle style: String) -> String? {
        let plain = ["&quot;", "&#39;", "&apos;", "&amp;"].reduce(style.lowercased()) { $0.replacing($1, with: "'") }
        for (text, reason) in [
            ("\\", "a backslash, which hides words"), ("&", "a character reference"), ("@import", "@import: mails load no other files"),
            ("@font-face", "@font-face: mails load no other files"), ("expression(", "expression()"), ("javascript:", "javascript:"),
            ("behavior:", "behavior:"), ("-moz-binding", "-moz-binding"), ("image-set(", "image-set(): write url(https://…)"),
            ("src(", "src(): write url(https://…)"),
        ] where plain.contains(text) {
            return "a style must not contain \(reason)"
        }
        let isSafe = plain.ranges(of: "url(").allSatisfy {
            plain[$0.upperBound...].drop { " \t\n'\"".contains($0) }.hasPrefix("https://")
        }
        return isSafe ? nil : "an address in a style must begin with https://"
    }

    /// The objection to a comment, which Outlook may read as markup.
    static func objection(toComment comment: String) -> String? {
        let plain = comment.lowercased()
        let unsafe = ["<script", "javascript:", "<iframe", "<object", "<link"].first { plain.contains($0) }
        return unsafe.map { "a comment for Outlook must not contain \($0)" }
    }
}
