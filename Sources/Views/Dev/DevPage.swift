package import Foundation

/// The pages of `onward dev`, for whoever has an app under test.
package enum DevPage: Sendable, Hashable {
    case start(DevStart)
    /// Newest first.
    case inbox([DevMail], brand: Brand)
    case mail(DevMail, brand: Brand)
}

/// What the first page at `/` needs to lead by the hand.
package struct DevStart: Sendable, Hashable {
    package var brand: Brand
    /// With scheme and port, without a slash at the end.
    package var origin: String
    package var project: String
    package var apiKey: String
    package var accounts: [Account]
    /// How many mails are in the inbox.
    package var mails: Int

    package struct Account: Sendable, Hashable {
        package var address: String
        package var password: String?

        package init(address: String, password: String?) {
            self.address = address
            self.password = password
        }
    }

    package init(brand: Brand, origin: String, project: String, apiKey: String, accounts: [Account], mails: Int) {
        self.brand = brand
        self.origin = origin
        self.project = project
        self.apiKey = apiKey
        self.accounts = accounts
        self.mails = mails
    }
}

/// A mail that was not sent but kept, to be looked into.
package struct DevMail: Sendable, Hashable {
    /// Its place is `/inbox/<id>`, its HTML `/inbox/<id>/html`.
    package var id: String
    package var recipient: String
    package var subject: String
    /// What it is about, e.g. `resetPassword`.
    package var kind: String
    package var sent: Date
    package var text: String
    /// Name and value, in order.
    package var headers: [Form.Field]
    /// The link in it, if it carries one.
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
