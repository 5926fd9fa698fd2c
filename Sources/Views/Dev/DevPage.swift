package import Foundation

/// The pages of `onward dev`, for the developer of an app.
package enum DevPage: Sendable, Hashable {
    case start(DevStart)
    /// Newest first.
    case inbox([DevMail], brand: Brand)
    case mail(DevMail, brand: Brand)
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

/// A mail that was kept for inspection instead of being sent.
package struct DevMail: Sendable, Hashable {
    /// The mail's page is `/inbox/<id>`, its HTML part `/inbox/<id>/html`.
    package var id: String
    /// The address in `To`.
    package var recipient: String
    /// The decoded subject.
    package var subject: String
    /// The kind of the mail, such as `resetPassword`.
    package var kind: String
    /// The time at which it would have been sent.
    package var sent: Date
    /// The plain text part; not shown in the list.
    package var text: String
    /// The header fields, in order.
    package var headers: [Form.Field]
    /// The link in the mail, if it has one.
    package var link: String?

    package init(
        id: String, recipient: String, subject: String, kind: String, sent: Date, text: String = "", headers: [Form.Field] = [],
        link: String? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.subject = subject
        self.kind = kind
        self.sent = sent
        self.text = text
        self.headers = headers
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
        case .inbox(let mails, let brand):
            var context = brand.layout
            context[.mails] = .list(mails.map(\.context))
            context[.isEmpty] = mails.isEmpty ? .flag : nil
            return context
        case .mail(let mail, let brand):
            return brand.layout.merging(mail.context) { _, own in own }
        }
    }
}

extension Brand {
    fileprivate var layout: TemplateContext {
        [.style: .text(style.path), .script: .text(script.path), .icon: .text(icon.path), .app: .text(name)]
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

extension DevMail {
    fileprivate var context: TemplateContext {
        var context: TemplateContext = [
            .id: .text(id), .recipient: .address(recipient), .subject: .name(subject), .pageTitle: .text(subject), .kind: .text(kind),
            .sent: .text(sent.iso),
            .sentWords: .text(sent.formatted(.iso8601.time(includingFractionalSeconds: false)) + " UTC"), .text: .text(text),
            .headers: .list(headers.map { [.name: .text($0.name), .value: .text($0.value)] }),
        ]
        context[.link] = link.map { .text($0) }
        return context
    }
}
