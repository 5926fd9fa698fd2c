public import Accounts
internal import Base
internal import Foundation

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

    /// Its page is `/inbox/<id>`, its HTML part `/inbox/<id>/html`, its message
    /// `/inbox/<id>/source`.
    public let mail: StoredMail
    public let subject: String
    /// Nil for a notice.
    public let link: String?
    /// The project, by the name that clients use.
    public let project: ProjectID
    /// The decision on each device, if the link is an app link. Only the mail's page shows it.
    public var decisions: LinkExplanation.Decisions?

    public init(_ mail: StoredMail, subject: String, link: String?, project: ProjectID) {
        (self.mail, self.subject, self.link, self.project) = (mail, subject, link, project)
    }

    func context(at now: Date) -> TemplateContext {
        let recipient = mail.recipient.value
        var context: TemplateContext = [
            .id: .text(mail.id.description), .recipient: .address(recipient),
            .inbox: .text("/inbox?to=\(WebURL.percentEncoded(recipient))"), .subject: .name(subject), .pageTitle: .text(subject),
            .kind: .text(mail.kind.rawValue.spelledOut), .project: .text(project.rawValue),
        ]
        context.merge(Date(mail.createdAt).age(at: now)) { own, _ in own }
        context[.link] = link.map { .text($0) }
        context[.explanation] = decisions.map { .group($0.context) }
        return context
    }

    /// The context of the mail's page with the content of one tab.
    func context(_ tab: Tab, text: String?, _ brand: Brand, at now: Date) -> TemplateContext {
        var context = brand.layout.merging(self.context(at: now)) { _, own in own }
        context[.tabs] = .list(tabs(selected: tab))
        context[.text] = text.map { .text($0) }
        context[.phone] = tab == .phone ? .flag : nil
        return context
    }

    private func tabs(selected: Tab) -> [TemplateContext] {
        Tab.allCases.map { tab in
            var context: TemplateContext = [.name: .text(tab.title), .href: .text("/inbox/\(mail.id)?as=\(tab.rawValue)")]
            context[.selected] = tab == selected ? .flag : nil
            return context
        }
    }
}
