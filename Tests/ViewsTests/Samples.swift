import AppLinks
import Base
import Foundation
@testable import Accounts
@testable import Views

extension Samples {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    static let views = Result { try Views(resources: Resources(release: root)) }
    static let now = Date(timeIntervalSince1970: 1_795_262_452)

    init(words: String? = nil) { self.init(words: words, at: Self.now) }

    var app: String { words ?? "Sunlit Notes" }

    func brand(_ views: Views) throws -> Brand { try views.brand(name: app, links: links) }

    private var links: Brand.Links {
        Brand.Links(
            help: words ?? "help@app.example", home: words ?? "https://notes.app.example/", terms: words ?? "https://app.example/terms",
            privacy: words ?? "https://app.example/privacy")
    }

    func pages(_ brand: Brand) -> [(name: String, page: Page)] {
        pages.map { name, content in
            (
                name,
                Page(
                    content, brand: brand, now: Self.now, languageSwitch: LanguageSwitch(form: form), requestID: words ?? "7f3a-9c21")
            )
        }
    }

    func letters(_ brand: Brand) -> [(name: String, letter: SampleLetter)] {
        letters(in: "en").map { ($0.name, SampleLetter(letter: $0.letter, brand: brand)) }
    }

    func devPages(_ brand: Brand) -> [(name: String, page: DevPage)] {
        let stored = StoredMail(
            id: MailID(rawValue: 1), project: ProjectID(rawValue: "demo"), recipient: recipient,
            recipientDigest: Digest(bytes: [1]), kind: .action(.resetPassword), language: "en", sealed: [], createdAt: Timestamp(Self.now),
            uselessAfter: nil)
        let mail = DevMail(
            stored, subject: words ?? "Choose a new password for Sunlit Notes",
            link: words ?? "http://localhost:9099/__/auth/action?mode=resetPassword&oobCode=x",
            project: ProjectID(rawValue: words ?? "demo"))
        let start = DevStart(
            brand: brand, origin: "http://localhost:9099", project: words ?? "demo-onward", others: [words ?? "other"],
            apiKey: words ?? "dev-key",
            accounts: [.init(address: account, password: words ?? "correct horse"), .init(address: other, password: nil)], mails: 2)
        var inbox = DevInbox(brand: brand, mails: [mail, mail], kinds: ["resetPassword", words ?? "signIn"], at: Self.now, version: "1")
        (inbox.search, inbox.recipient, inbox.kind) = (words ?? "reset", words ?? account, "resetPassword")
        var texts = DevInbox(brand: brand, mails: [], at: Self.now)
        let code = IssuedVerificationCode(
            code: "123456", sessionInfo: "s", number: PhoneNumber("+15555550123")!, expiresAt: stored.createdAt)
        texts.texts = [
            TextMessage(code, id: "t1", text: words ?? "123456", language: "en", in: ProjectID(rawValue: "demo"), at: stored.createdAt)
        ]
        texts.events = [
            DevEvent(
                AccountEvent(
                    id: "e1", kind: .passwordReset, alsoKinds: [.emailVerified, .sessionsEnded], project: ProjectID(rawValue: "demo"),
                    account: AccountID(rawValue: words ?? "u1"), at: stored.createdAt)),
            DevEvent(AccountEvent(id: "e2", kind: .imported, project: ProjectID(rawValue: "demo"), account: nil, at: stored.createdAt)),
        ]
        var shown = DevAccount(
            project: words ?? "demo", id: words ?? "u1", path: "/emulator/account?id=u1", name: words ?? account,
            remarks: [words ?? "password"])
        (shown.facts, shown.actions, shown.isDisabled) = (
            [.init("Name", words ?? "Ada"), .init("Created", "2026-11-23T12:00:00Z", isTime: true)], [.init("Sign in", "signIn")], true
        )
        return [
            ("dev-start", .start(start)), ("dev-inbox", .inbox(inbox)), ("dev-inbox-texts", .inbox(texts)),
            ("dev-inbox-empty", .inbox(DevInbox(brand: brand, mails: [], at: Self.now))),
            (
                "dev-accounts",
                .accounts(
                    DevAccounts(
                        brand: brand, accounts: [shown, shown], count: 3, search: words ?? "ada", projects: ["demo", words ?? "other"],
                        project: "demo"))
            ),
            (
                "dev-accounts-empty",
                .accounts(DevAccounts(brand: brand, accounts: [], count: 0, search: "", projects: ["demo"], project: "demo"))
            ),
            ("dev-account", .account(shown, link: words ?? "http://localhost:9099/__/auth/action?oobCode=x", brand: brand)),
            (
                "dev-arrival",
                .arrival(
                    DevArrival(
                        brand: brand, title: words ?? "Done", lead: words ?? "It happened.", advice: words ?? "Go on.",
                        code: words ?? "await reload()"))
            ),
        ]
            + DevMail.Tab.allCases.map { tab in
                ("dev-mail-\(tab)", .mail(mail, tab, text: tab.isPreview ? nil : words ?? "Hello", brand: brand, at: Self.now))
            }
    }
}

/// A letter in the look of a brand.
struct SampleLetter {
    var letter: Letter
    var brand: Brand
    var origin: String?
}

extension Views {
    func mail(_ sample: SampleLetter, in language: Language) throws -> RenderedMail {
        try mail(sample.letter, in: language, for: sample.brand, at: sample.origin)
    }

    func text(_ page: Page, in language: Language) -> String { String(decoding: html(page, in: language), as: UTF8.self) }
    func text(_ page: DevPage) -> String { String(decoding: html(page), as: UTF8.self) }
}
