import Foundation
import Testing
@testable import Views

/// The HTML of a mail as a tree, built by a reader of our own that demands more than browsers:
/// every element is closed in its turn.
final class LetterElement {
    let name: String
    let attributes: [String: String]
    let parent: LetterElement?
    /// Text, decoded, and elements in their order.
    var content: [Content] = []

    enum Content {
        case text(String)
        case element(LetterElement)
    }

    init(_ name: String, _ attributes: [String: String], in parent: LetterElement?) {
        (self.name, self.attributes, self.parent) = (name, attributes, parent)
    }

    var classes: [Substring] { attributes["class"]?.split(separator: " ") ?? [] }
    var descendants: [LetterElement] { [self] + children.flatMap(\.descendants) }
    var ancestors: [LetterElement] { [self] + (parent?.ancestors ?? []) }
    var children: [LetterElement] { content.compactMap { if case .element(let element) = $0 { element } else { nil } } }
    /// The text directly in this element.
    var text: String { content.map { if case .text(let text) = $0 { text } else { "" } }.joined() }
    var wholeText: String {
        content.map {
            switch $0 {
            case .text(let text): text
            case .element(let element): element.wholeText
            }
        }.joined()
    }

    /// The value of a property in the element's own style.
    func style(_ property: String) -> String? {
        attributes["style"].flatMap { Self.declarations(in: $0)[property] }
    }

    static func declarations(in text: some StringProtocol) -> [String: String] {
        let pairs = text.split(separator: ";").map { pair in
            let sides = pair.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
        return Dictionary(pairs) { $1 }
    }
}

struct LetterMarkup {
    enum Reader {
        /// Comments are skipped.
        case browser
        /// Outlook on Windows, which reads comments that are meant for it.
        case word
    }

    let root = LetterElement("", [:], in: nil)
    /// Tags that open or close nothing.
    private(set) var faults: [String] = []

    private static let empty: Set = ["meta", "br", "img"]

    init(_ html: String, as reader: Reader = .browser) throws {
        var html = html
        if reader == .word { html = html.replacing("<!--[if mso]>", with: "").replacing("<![endif]-->", with: "") }
        var open = root
        for token in html.matches(of: #/<!--[\s\S]*?-->|<![^>]*>|<(/?)([a-zA-Z][^\s>]*)([^>]*)>|([^<]+)/#) {
            if let text = token.4 {
                open.content.append(.text(decoded(text)))
            } else if let name = token.2, token.1 == "/" {
                guard open.name == name, let parent = open.parent else {
                    faults.append("</\(name)> in <\(open.name)>")
                    continue
                }
                open = parent
            } else if let name = token.2 {
                let attributes = (token.3 ?? "").matches(of: #/([\w:-]+)="([^"]*)"/#).map { (String($0.1), decoded($0.2)) }
                let rest = (token.3 ?? "").replacing(#/[\w:-]+="[^"]*"/#, with: "").filter { $0 != " " }
                if !rest.isEmpty { faults.append("\(rest) in <\(name)>") }
                if Set(attributes.map(\.0)).count < attributes.count { faults.append("an attribute twice in <\(name)>") }
                let element = LetterElement(String(name), Dictionary(attributes) { first, _ in first }, in: open)
                open.content.append(.element(element))
                if !Self.empty.contains(element.name) { open = element }
            }
        }
        if open !== root { faults.append("<\(open.name)> is open") }
    }

    func all(_ name: String) -> [LetterElement] { root.descendants.filter { $0.name == name } }
    func all(class name: String) -> [LetterElement] { root.descendants.filter { $0.classes.contains(name[...]) } }

    /// The rules of the style sheets for dark mode: those of `prefers-color-scheme`, or those for
    /// Outlook.
    func darkRules(ofOutlook isOutlook: Bool) -> [String: [String: String]] {
        let sheets = all("style").map(\.text).joined()
        let dark = sheets.firstMatch(of: #/@media \(prefers-color-scheme: dark\) \{\n((?:[^{}]+\{[^{}]*\}\n)*)\}/#)?.1 ?? ""
        var rules: [String: [String: String]] = [:]
        for rule in (isOutlook ? sheets[...] : dark).matches(of: #/(?m)^(?:\[data-ogs[bc]\] )?(\.[^{]+?) \{ ([^{}]*) \}$/#)
        where !isOutlook || rule.0.hasPrefix("[") {
            rules[String(rule.1), default: [:]].merge(LetterElement.declarations(in: rule.2)) { $1 }
        }
        return rules
    }
}

private func decoded(_ text: Substring) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{a0}"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
}

/// The colours that a reader sees.
struct LetterColours {
    /// The style sheets' rules by their selectors; empty where none are read.
    let rules: [String: [String: String]]
    /// The colour of a link that does not have its own.
    let link: Colour?

    func colour(of element: LetterElement) -> Colour? { element.ancestors.lazy.compactMap { own("color", of: $0) }.first }
    func background(of element: LetterElement) -> Colour? { element.ancestors.lazy.compactMap { own("background", of: $0) }.first }

    private func own(_ property: String, of element: LetterElement) -> Colour? {
        var value = element.style(property)
        for (selector, declarations) in rules where declarations[property] != nil && matches(selector, element) {
            value = declarations[property]?.replacing(" !important", with: "")
        }
        return value.flatMap { Colour(hex: $0) } ?? (element.name == "a" && property == "color" ? link : nil)
    }

    /// Whether a selector of the form `.class` or `.class a` selects the element.
    private func matches(_ selector: String, _ element: LetterElement) -> Bool {
        let parts = selector.split(separator: " ")
        let target = parts.count == 1 ? element : element.name == "a" ? element.parent : nil
        return target?.classes.contains(parts[0].dropFirst()) == true
    }
}
