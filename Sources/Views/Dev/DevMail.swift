public import Foundation

/// A mail that was kept for inspection.
public struct DevMail: Sendable, Hashable {
    /// A tab of the page of a mail.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        /// The mail as HTML, as wide as the page, or as a phone.
        case html, phone
        case text, source, headers

        /// Whether a frame shows the mail.
        public var isPreview: Bool { self == .html || self == .phone }

        fileprivate var title: String { self == .html ? "Desktop" : rawValue.capitalized }
    }

    /// The mail's page is `/inbox/<id>`, its HTML part `/inbox/<id>/html`, its message
    /// `/inbox/<id>/source`.
    public var id: String
    /// The address in `To`.
    public var recipient: String
    /// The path of the page with all mails to this address.
    public var inbox: String
    /// The decoded subject.
    public var subject: String
    /// The kind of the mail, such as `resetPassword`.
    public var kind: String
    public var project: String
    /// The time at which it was asked for.
    public var sent: Date
    /// The link in the mail, if it has one.
    public var link: String?
    /// The decision on each device, if the link is an app link. Only the mail's page shows it.
    public var decisions: LinkExplanation.Decisions?

    public init(
        id: String, recipient: String, inbox: String, subject: String, kind: String, project: String, sent: Date, link: String? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.inbox = inbox
        self.subject = subject
        self.kind = kind
        self.project = project
        self.sent = sent
        self.link = link
    }

    var context: TemplateContext {
        var context: TemplateContext = [
            .id: .text(id), .recipient: .address(recipient), .inbox: .text(inbox), .subject: .name(subject), .pageTitle: .text(subject),
            .kind: .text(kind), .project: .text(project), .sent: .text(sent.iso), .sentWords: .text(sent.clock),
        ]
        context[.link] = link.map { .text($0) }
        context[.explanation] = decisions.map { .group($0.context) }
        return context
    }

    /// The context of the mail's page with the content of one tab.
    func context(_ tab: Tab, text: String?, _ brand: Brand) -> TemplateContext {
        var context = brand.layout.merging(self.context) { _, own in own }
        context[.tabs] = .list(tabs(selected: tab))
        context[.text] = text.map { .text($0) }
        context[.phone] = tab == .phone ? .flag : nil
        return context
    }

    private func tabs(selected: Tab) -> [TemplateContext] {
        Tab.allCases.map { tab in
            var context: TemplateContext = [.name: .text(tab.title), .href: .text("/inbox/\(id)?as=\(tab.rawValue)")]
            context[.selected] = tab == selected ? .flag : nil
            return context
        }
    }
}
