public import Accounts
internal import Base
public import Foundation

/// The inbox of `onward dev`: the mails that a search found, newest first.
public struct DevInbox: Sendable, Hashable {
    /// The look of the page.
    public var brand: Brand
    public var mails: [DevMail]
    public var texts: [TextMessage] = []
    public var events: [DevEvent] = []
    /// The words searched for.
    public var search = ""
    /// The one address whose mails are shown; nil: those of all.
    public var recipient: String?
    /// The kinds of mails to choose from.
    public var kinds: [String]
    /// The one kind that is shown; nil: all are.
    public var kind: String?
    /// The time from which the age of mails is counted.
    public var now: Date
    /// Changes with the content of the inbox, so that the page knows when to show it again.
    public var version: String

    public init(brand: Brand, mails: [DevMail], kinds: [String] = [], at now: Date, version: String = "") {
        (self.brand, self.mails, self.kinds, self.now, self.version) = (brand, mails, kinds, now, version)
    }

    /// Whether mails may be left out.
    private var isFiltered: Bool { !search.isEmpty || recipient != nil || kind != nil }

    var context: TemplateContext {
        var context = brand.layout
        context[.mails] = .list(mails.map { $0.context(at: now) })
        context[.texts] = texts.isEmpty ? nil : .group([.rows: .list(texts.map { $0.context(at: now) })])
        context[.events] = events.isEmpty ? nil : .group([.rows: .list(events.map { $0.context(at: now) })])
        context[.isEmpty] = mails.isEmpty ? .flag : nil
        context[.count] = mails.isEmpty ? nil : .text(mails.count == 1 ? "1 mail" : "\(mails.count) mails")
        context[.filtered] = isFiltered ? .flag : nil
        context[.search] = .text(search)
        context[.version] = .text(version)
        context[.recipient] = recipient.map { .address($0) }
        context[.address] = recipient.map { .text($0) }
        context[.kind] = kind.map { .text($0) }
        context[.kinds] = .list(
            kinds.map { name in
                var option: TemplateContext = [.value: .text(name), .name: .text(name.spelledOut)]
                option[.selected] = name == kind ? .flag : nil
                return option
            })
        return context
    }
}

/// An event as the inbox shows it.
public struct DevEvent: Sendable, Hashable {
    fileprivate let kind, alsoKinds, account: String
    fileprivate let at: Timestamp

    public init(_ event: AccountEvent) {
        (kind, account, at) = (event.kind.rawValue, event.account?.rawValue ?? "", event.at)
        alsoKinds = event.alsoKinds.map(\.rawValue).joined(separator: ", ")
    }

    fileprivate func context(at now: Date) -> TemplateContext {
        var context: TemplateContext = [.name: .text(kind), .id: .text(account)]
        context.merge(Date(at).age(at: now)) { own, _ in own }
        context[.text] = alsoKinds.isEmpty ? nil : .text(alsoKinds)
        return context
    }
}

extension TextMessage {
    fileprivate func context(at now: Date) -> TemplateContext {
        Date(sentAt).age(at: now).merging([.recipient: .text(number.value), .text: .text(text)]) { own, _ in own }
    }
}
