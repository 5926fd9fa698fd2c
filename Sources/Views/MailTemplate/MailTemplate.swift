/// One part of a project's own mail: its subject, text or HTML, checked so that rendering cannot
/// fail.
public struct MailTemplate: Sendable {
    /// The part of a mail; the raw value is the middle of its file's name.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case subject = "subject.txt"
        case text = "txt"
        case html
    }

    struct Key: Hashable, Sendable {
        let text: String
        let part: Part
        let scope: TemplateScope
    }

    /// In code points.
    private static let maxSubjectLength = 300
    /// In UTF-8. Gmail cuts longer mails off.
    public static let maxBodyBytes = 100_000

    let nodes: [MailTemplateNode]
    /// Whether HTML is a whole document. Otherwise it is shown in the frame of the shipped mails.
    let isDocument: Bool

    /// Throws the first problem.
    public init(_ text: String, as part: Part, for scope: TemplateScope) throws(TemplateProblem) {
        guard text.utf8.count <= Self.maxBodyBytes else {
            throw TemplateProblem("the template has \(text.utf8.count) bytes; at most \(Self.maxBodyBytes) are shown by all mail programs")
        }
        let source = TemplateSource(part == .subject ? String(text.drop(while: \.isNewline).trimmingNewlines) : text)
        if let offset = source.scalars.firstIndex(where: { $0.isForbidden(in: part) }) {
            throw source.problem(
                at: offset, part == .subject ? "a subject is one line without control characters" : "a control character: remove it")
        }
        let nodes = try MailTemplateParser.nodes(of: source, for: scope)
        switch part {
        case .subject:
            guard source.scalars.count <= Self.maxSubjectLength else {
                throw source.problem(at: Self.maxSubjectLength, "a subject has at most \(Self.maxSubjectLength) characters")
            }
            if let link = nodes.values.first(where: { $0.name == .link || $0.name == .value }) {
                throw source.problem(
                    at: link.offset,
                    link.name == .link ? "the link must not be in a subject, which locked screens show" : "a list is not a subject")
            }
            (self.nodes, isDocument) = (nodes, false)
        case .text:
            let links = nodes.values.filter { $0.name == .link }
            guard links.count < 2 else { throw source.problem(at: links[1].offset, "the link is here a second time: remove it") }
            guard scope.link == .never || links.count == 1 else {
                throw source.problem(at: 0, "the link is missing: add {{link}} (or %LINK%) on a line of its own")
            }
            (self.nodes, isDocument) = (nodes, false)
        case .html:
            var markup = MailMarkup(source)
            self.nodes = try markup.checked(nodes, for: scope)
            isDocument = markup.isDocument
        }
    }
}

extension MailTemplate {
    /// Whether a mail of this template shows the confirmation number.
    fileprivate var showsNumber: Bool { nodes.contains { $0.showsNumber } }
}

extension MailTemplateNode {
    fileprivate var showsNumber: Bool {
        switch content {
        case .words: false
        case .value(let name, _): name == .number
        case .section(.facts, let isInverted, _): !isInverted
        case .section(_, _, let inner): inner.contains { $0.showsNumber }
        }
    }
}

/// The parts of a mail that a project words itself. A part that is nil is the shipped one, except
/// that HTML is made of the text, if there is one.
public struct OwnWords: Sendable {
    public var subject, text, html: MailTemplate?

    public init(subject: MailTemplate? = nil, text: MailTemplate? = nil, html: MailTemplate? = nil) {
        (self.subject, self.text, self.html) = (subject, text, html)
    }

    public var hasBody: Bool { text != nil || html != nil }

    /// Whether the text and the HTML of the mail both show the confirmation number. The shipped
    /// ones do; HTML that is nil is made of the text.
    public var showNumber: Bool { [text, html].allSatisfy { $0?.showsNumber ?? true } }

    public subscript(part: MailTemplate.Part) -> MailTemplate? {
        get {
            switch part {
            case .subject: subject
            case .text: text
            case .html: html
            }
        }
        set {
            switch part {
            case .subject: subject = newValue
            case .text: text = newValue
            case .html: html = newValue
            }
        }
    }
}

extension [MailTemplateNode] {
    /// Every value with its position, in sections too.
    fileprivate var values: [(name: MailName, offset: Int)] {
        flatMap { node -> [(name: MailName, offset: Int)] in
            switch node.content {
            case .words: []
            case .value(let name, _): [(name, node.offset)]
            case .section(_, _, let inner): inner.values
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate func isForbidden(in part: MailTemplate.Part) -> Bool {
        if " "..."~" ~= self { return false }
        if properties.isNoncharacterCodePoint { return true }
        let isLineBreak = self == "\n" || self == "\u{2028}" || self == "\u{2029}"
        if part == .subject, isLineBreak { return true }
        return properties.generalCategory == .control && self != "\n" && self != "\t"
    }
}

extension Substring {
    fileprivate var trimmingNewlines: Substring {
        var rest = self
        while rest.last?.isNewline == true { rest.removeLast() }
        return rest
    }
}
