package import Foundation

/// The pages of `onward dev`, for the developer of an app.
package enum DevPage: Sendable, Hashable {
    case start(DevStart)
    /// Newest first. `only` names the mails that are shown; nil: all are.
    case inbox([DevMail], texts: [DevText] = [], only: String?, brand: Brand)
    /// A mail with the content of one tab. `text` is nil for HTML, which a frame shows.
    case mail(DevMail, DevMail.Tab, text: String?, brand: Brand)
}

/// The first page of `onward dev`, which explains how to connect an app.
package struct DevStart: Sendable, Hashable {
    /// The look of the page.
    package var brand: Brand
    /// The server's origin, with scheme and port.
    package var origin: String
    /// The project id for the app's configuration.
    package var project: String
    /// The API key in the examples; the server accepts any key.
    package var apiKey: String
    /// The sample accounts; the first is in the examples.
    package var accounts: [SampleAccount]
    /// The number of mails in the inbox.
    package var mails: Int

    /// A sample account.
    package struct SampleAccount: Sendable, Hashable {
        package var address: String
        /// Shown in clear text, because it protects nothing.
        package var password: String?

        package init(address: String, password: String?) {
            self.address = address
            self.password = password
        }
    }

    package init(brand: Brand, origin: String, project: String, apiKey: String, accounts: [SampleAccount], mails: Int) {
        self.brand = brand
        self.origin = origin
        self.project = project
        self.apiKey = apiKey
        self.accounts = accounts
        self.mails = mails
    }
}

/// A text message that was kept for inspection.
package struct DevText: Sendable, Hashable {
    package var recipient: String
    package var text: String
    package var sent: Date

    package init(recipient: String, text: String, sent: Date) { (self.recipient, self.text, self.sent) = (recipient, text, sent) }
}

/// A mail that was kept for inspection.
package struct DevMail: Sendable, Hashable {
    /// A tab of the page of a mail.
    package enum Tab: String, Sendable, Hashable, CaseIterable {
        case html, text, source, headers

        fileprivate var title: String { self == .html ? "HTML" : rawValue.capitalized }
    }

    /// The mail's page is `/inbox/<id>`, its HTML part `/inbox/<id>/html`, its message
    /// `/inbox/<id>/source`.
    package var id: String
    /// The address in `To`.
    package var recipient: String
    /// The path of the page with all mails to this address.
    package var inbox: String
    /// The decoded subject.
    package var subject: String
    /// The kind of the mail, such as `resetPassword`.
    package var kind: String
    package var project: String
    /// The time at which it was asked for.
    package var sent: Date
    /// The link in the mail, if it has one.
    package var link: String?
    /// The decision on each device, if the link is an app link. Only the mail's page shows it.
    package var decisions: LinkExplanation.Decisions?

    package init(
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
}

extension DevPage {
    var template: String {
        switch self {
        case .start: "start"
        case .inbox: "inbox"
        case .mail: "mail"
        }
    }

    var context: TemplateContext {
        switch self {
        case .start(let start):
            return start.brand.layout.merging(start.context) { _, own in own }
        case .inbox(let mails, let texts, let only, let brand):
            var context = brand.layout
            context[.mails] = .list(mails.map(\.context))
            context[.texts] = texts.isEmpty ? nil : .group([.rows: .list(texts.map(\.context))])
            context[.isEmpty] = mails.isEmpty ? .flag : nil
            context[.only] = only.map { .address($0) }
            return context
        case .mail(let mail, let tab, let text, let brand):
            var context = brand.layout.merging(mail.context) { _, own in own }
            context[.tabs] = .list(mail.tabs(selected: tab))
            context[.text] = text.map { .text($0) }
            return context
        }
    }
}

extension Brand {
    fileprivate var layout: TemplateContext {
        [.style: .text(style.path), .script: .text(script.path), .icon: .text(icon.path), .app: .text(name ?? "")]
    }
}

extension DevStart {
    fileprivate var context: TemplateContext {
        let authority = origin.split(separator: "/").last.map(String.init) ?? origin
        let parts = authority.split(separator: ":").map(String.init)
        var context: TemplateContext = [
            .origin: .text(origin), .authority: .text(authority), .host: .text(parts[0]), .port: .text(parts.count == 2 ? parts[1] : "443"),
            .project: .text(project), .key: .text(apiKey), .count: .text("\(mails)"),
            .address: .text(accounts.first?.address ?? "ada@app.example"),
            .accounts: .list(
                accounts.map { account in
                    var context: TemplateContext = [.address: .text(account.address)]
                    context[.password] = account.password.map { .text($0) }
                    return context
                }),
        ]
        context[.isEmpty] = mails == 0 ? .flag : nil
        return context
    }
}

extension Date {
    fileprivate var clock: String { formatted(.iso8601.time(includingFractionalSeconds: false)) + " UTC" }
}

extension DevText {
    fileprivate var context: TemplateContext {
        [.recipient: .text(recipient), .text: .text(text), .sent: .text(sent.iso), .sentWords: .text(sent.clock)]
    }
}

extension DevMail {
    fileprivate var context: TemplateContext {
        var context: TemplateContext = [
            .id: .text(id), .recipient: .address(recipient), .inbox: .text(inbox), .subject: .name(subject), .pageTitle: .text(subject),
            .kind: .text(kind), .project: .text(project), .sent: .text(sent.iso), .sentWords: .text(sent.clock),
        ]
        context[.link] = link.map { .text($0) }
        context[.explanation] = decisions.map { .group($0.context) }
        return context
    }

    fileprivate func tabs(selected: Tab) -> [TemplateContext] {
        Tab.allCases.map { tab in
            var context: TemplateContext = [.name: .text(tab.title), .href: .text("/inbox/\(id)?as=\(tab.rawValue)")]
            context[.selected] = tab == selected ? .flag : nil
            return context
        }
    }
}
