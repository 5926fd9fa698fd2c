public import Foundation

/// The pages of `onward dev`, for the developer of an app.
public enum DevPage: Sendable, Hashable {
    case start(DevStart)
    case inbox(DevInbox)
    /// A mail with the content of one tab. `text` is nil for a preview, which a frame shows.
    case mail(DevMail, DevMail.Tab, text: String?, brand: Brand, at: Date)
    case gallery(DevGallery)
    case accounts(DevAccounts)
    /// An account, with a link that was just made for it.
    case account(DevAccount, link: String?, brand: Brand)
    case arrival(DevArrival)
    case provider(DevProvider)

    var template: String {
        switch self {
        case .start: "start"
        case .inbox: "inbox"
        case .mail: "mail"
        case .gallery: "gallery"
        case .accounts: "accounts"
        case .account: "account"
        case .arrival: "arrival"
        case .provider: "provider"
        }
    }

    var context: TemplateContext {
        switch self {
        case .start(let start): start.context
        case .inbox(let inbox): inbox.context
        case .mail(let mail, let tab, let text, let brand, let now): mail.context(tab, text: text, brand, at: now)
        case .gallery(let gallery): gallery.context
        case .accounts(let accounts): accounts.context
        case .account(let account, let link, let brand): account.context(link: link, brand)
        case .arrival(let arrival): arrival.context
        case .provider(let provider): provider.context
        }
    }
}

extension Brand {
    /// The values of the layout of these pages.
    var layout: TemplateContext {
        [
            .style: .text(style.path), .script: .text(script.path), .icon: .text(icon.path), .iconType: .text(icon.mediaType),
            .app: .text(name ?? ""),
        ]
    }
}

extension Date {
    /// How long ago it was, in words, with the time itself.
    func age(at now: Date) -> TemplateContext {
        let minutes = Int(now.timeIntervalSince(self)) / 60
        let (count, unit) = minutes < 60 ? (minutes, "minute") : minutes < 1440 ? (minutes / 60, "hour") : (minutes / 1440, "day")
        let words = count < 1 ? "just now" : "\(count) \(unit)\(count == 1 ? "" : "s") ago"
        return [.sent: .text(iso), .sentWords: .text(words), .time: .text(formatted(.iso8601))]
    }
}

extension String {
    /// The words of a name such as `resetPassword`: *Reset password*.
    var spelledOut: String {
        prefix(1).uppercased() + dropFirst().map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
    }
}
