import AppLinks
import Base
import Foundation
import Views
@testable import Accounts

/// Every page and letter, with ordinary or with hostile texts.
struct Samples {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    static let views = Result { try Views(resources: Resources(release: root)) }
    static let now = Date(timeIntervalSince1970: 1_795_262_452)

    /// The text in place of each text of a user, an app or a request; nil: ordinary texts.
    var words: String?
    var app: String { words ?? "Sunlit Notes" }
    var account: String { words ?? "ada.lovelace@app.example" }
    var other: String { words ?? "countess@analytical.example" }
    var factor: String { words ?? "Phone ending in 45" }

    func brand(_ views: Views) throws -> Brand { try views.brand(name: app, links: links) }

    private var links: Brand.Links {
        Brand.Links(
            help: words ?? "help@app.example", home: words ?? "https://notes.app.example/", terms: words ?? "https://app.example/terms",
            privacy: words ?? "https://app.example/privacy")
    }

    var form: Form { Form(path: "/__/auth/action", hidden: [.init("oobCode", words ?? "c0de"), .init("formToken", "t0ken")]) }
    var next: ContinueLink { .to(host: words ?? "notes.app.example", url: words ?? "https://notes.app.example/welcome?from=mail&x=1") }

    var contents: [(name: String, content: Page.Content)] {
        let soon = Self.now + 3480
        let confirmations = Action.allCases.flatMap { action in
            [
                (
                    "confirm-\(action)",
                    Page.Content.confirm(
                        ConfirmationPage(
                            action, form: form, account: account,
                            newAccount: action == .verifyAndChangeEmail || action == .recoverEmail ? other : nil,
                            factor: action == .revertSecondFactorAddition ? factor : nil, destination: words ?? "notes.app.example",
                            expires: soon))
                ),
                ("confirm-\(action)-bare", .confirm(ConfirmationPage(action, form: form))),
            ]
        }
        let added = ConfirmationPage(
            .verifyAndChangeEmail, form: form, newAccount: other, destination: words ?? "notes.app.example", expires: soon,
            requested: Self.now - 60, waysIn: WaysIn(hasPassword: false, names: [words ?? "Google", "+••• ••45"]),
            accountCreated: Self.now - 90 * 86400)
        let firsts: [(String, Page.Content)] = [
            ("confirm-addEmail", .confirm(added)),
            ("done-addEmail", .done(CompletionPage(.verifyAndChangeEmail, newAccount: other, next: next))),
            ("confirm-choosePassword", .confirm(password(PasswordFacts(former: .never, confirmsAddress: true), until: soon))),
            (
                "confirm-replacePassword",
                .confirm(
                    password(
                        PasswordFacts(former: .inForce, confirmsAddress: true, endedProviders: [words ?? "Google", "GitHub"]), until: soon)
                )
            ),
            ("done-invitation", .done(CompletionPage(.resetPassword, account: account, next: next, stay: form, welcomes: true))),
        ]
        let requirements = PasswordRequirements(minimumLength: 8, maximumLength: 128, classes: Set(CharacterClass.allCases))
        let refused = PasswordPolicy.Objection.allCases.map { objection in
            (
                "refused-\(objection)",
                Page.Content.confirm(
                    ConfirmationPage(
                        .resetPassword, form: form, account: account, expires: soon, passwordRequirements: requirements,
                        objections: [objection, .lacks(.numeric)]))
            )
        }
        let undone: Set<Action> = [.recoverEmail, .revertSecondFactorAddition]
        let completions = Action.allCases.flatMap { action in
            [("next", next), ("refused", .refused), ("nowhere", .nowhere)].map { name, next in
                (
                    "done-\(action)-\(name)",
                    Page.Content.done(
                        CompletionPage(
                            action, account: account, newAccount: other, factor: factor, next: next,
                            passwordReset: undone.contains(action) ? form : nil))
                )
            }
        }
        let reasons: [(String, ErrorPage.Reason)] = [
            ("alreadyDone", .alreadyDone(.verifyEmail)), ("alreadyDone-undo", .alreadyDone(.recoverEmail)), ("noLink", .noLink),
            ("unknownApp", .unknownApp), ("alreadyConfirmed", .alreadyConfirmed), ("expired", .expired(.past(Self.now - 90_000))),
            ("expiredSometime", .expired(nil)),
            ("damaged", .damaged), ("unknown", .unknown), ("notKnown", .notKnown), ("newerLinkSent", .newerLinkSent(.past(Self.now - 130))),
            ("wrongAction", .wrongAction), ("replaced", .replaced),
            ("withdrawn", .withdrawn), ("wrongNumbers", .wrongNumbers), ("tooManyTries", .tooManyTries(.future(Self.now + 120))),
            ("unavailable", .unavailable),
            ("uncertain", .uncertain), ("answerLost", .answerLost(setsPassword: false)), ("passwordLost", .answerLost(setsPassword: true)),
            ("cannotSignIn", .cannotSignIn),
            ("pageExpired", .pageExpired), ("accountClosed", .accountClosed), ("addressLeft", .addressLeft),
            ("addressTaken", .addressTaken), ("notOffered", .notOffered),
            ("linkRefused", .linkRefused), ("placeRefused", .placeRefused(host: words ?? "evil.example")),
            ("appRefused", .appRefused(words ?? "com.evil")), ("notFound", .notFound), ("notUnderstood", .notUnderstood),
        ]
        let errors = reasons.flatMap { name, reason in
            [
                ("error-\(name)", Page.Content.error(ErrorPage(reason))),
                ("error-\(name)-ways", .error(ErrorPage(reason, account: account, next: next, resend: form, retry: form))),
            ]
        }
        let questions = ConfirmationQuestion.allCases.map { question in
            (
                "confirm-asked-\(question)",
                Page.Content.confirm(
                    ConfirmationPage(
                        .verifyEmail, form: form, account: account, expires: soon, newerSent: Self.now - 300, question: question,
                        numberTriesLeft: 3))
            )
        }
        let waysIn = WaysIn(hasPassword: true, names: [words ?? "Google", words ?? "+••• ••45"])
        let choices = ActionChoice.allCases.flatMap { choice in
            [
                (
                    "choice-\(choice)",
                    Page.Content.confirm(
                        ConfirmationPage(
                            choice.action, form: form, account: account, newAccount: other, expires: soon, waysIn: waysIn, choice: choice,
                            rivalMade: Self.now - 90_000))
                ), ("choice-\(choice)-done", .done(CompletionPage(choice.action, account: account, choice: choice))),
            ]
        }
        return confirmations + firsts + refused + questions + choices + completions + errors + [
            (
                "confirm-ways",
                .confirm(
                    ConfirmationPage(
                        .verifyEmail, form: form, account: account, destination: words ?? "notes.app.example", expires: soon,
                        requested: Self.now - 300, waysIn: waysIn, offer: .init(.notMine, form: form)))
            ),
            (
                "done-remaining",
                .done(
                    CompletionPage(
                        .recoverEmail, account: account, next: next, newPassword: form,
                        remaining: [.init(name: factor, form: form), .init(name: nil, form: form)]))
            ),
            (
                "done-resetPassword-soon",
                .done(CompletionPage(.resetPassword, account: account, next: next, stay: form))
            ),
            (
                "confirm-newer",
                .confirm(ConfirmationPage(.verifyEmail, form: form, account: account, expires: soon, newerSent: Self.now - 300))
            ),
            (
                "scannable",
                .confirm(
                    ConfirmationPage(
                        .signIn, form: form, phoneCode: ScannableCode(viewBox: words ?? "0 0 29 29", path: words ?? "M4 4.5h7m1 0h2")))
            ),
            ("sent-newLink", .sent(MailSentPage(.newLink, account: account))), ("sent-passwordReset", .sent(MailSentPage(.passwordReset))),
            (
                "openApp",
                .openApp(
                    OpenAppPage(
                        open: [words ?? "intent://x#Intent;end", words ?? "com.example.app://x"], store: words ?? "https://store.example/a",
                        copied: words ?? "https://links.example/?link=x", web: next, webOfMac: words ?? "https://app.example/mac"))
            ),
            ("openApp-only", .openApp(OpenAppPage(open: [words ?? "intent://x#Intent;end"], web: next))),
            (
                "openApp-outdated",
                .openApp(
                    OpenAppPage(
                        open: [words ?? "intent://x#Intent;end"], store: words ?? "https://store.example/a", web: next,
                        outdated: OpenAppPage.Outdated(
                            manifest: "/__/auth/apps.webmanifest", app: words ?? "com.example.app", versions: words ?? #"["1.0"]"#,
                            store: words ?? "https://store.example/a")))
            ),
            ("openApp-preview", .openApp(OpenAppPage(web: next, preview: LinkPreview()))),
            (
                "openApp-preview-own",
                .openApp(
                    OpenAppPage(web: next, preview: LinkPreview(title: words ?? "Spring sale", description: words ?? "Ends on Friday")))
            ),
        ]
    }

    private func password(_ facts: PasswordFacts, until expires: Date) -> ConfirmationPage {
        ConfirmationPage(
            .resetPassword, form: form, account: account, destination: words ?? "notes.app.example", expires: expires, passwordFacts: facts)
    }

    func pages(_ brand: Brand) -> [(name: String, page: Page)] {
        return contents.map { name, content in
            (
                name,
                Page(
                    content, brand: brand, now: Self.now, languageSwitch: LanguageSwitch(form: form), requestID: words ?? "7f3a-9c21")
            )
        }
    }

    /// An address with those characters of the words that addresses may contain.
    private func address(_ usual: String) -> EmailAddress {
        let local = words.map { words in
            String(
                String.UnicodeScalarView(
                    words.unicodeScalars.filter { "!#$%&'*+-/=?^_`{|}~abcxyz7".unicodeScalars.contains($0) }.prefix(64)))
        }
        return local.flatMap { EmailAddress("\($0)@app.example") } ?? EmailAddress(usual)!
    }

    func letters(_ brand: Brand) -> [(name: String, letter: SampleLetter)] {
        // Hostile names are left out of mails; another test checks that.
        let (phone, home) = ("Phone ending in 45", "https://notes.app.example/")
        let (account, other) = (address(Samples().account), address(Samples().other))
        let actions: [(String, LetterKind, SampleLetter.Change)] = Action.allCases.map { action in
            (
                "\(action)", .action(action),
                { letter in
                    if action.setsNewAddress { letter.otherEmail = account }
                    if action == .recoverEmail { letter.otherEmail = other }
                    if action == .revertSecondFactorAddition { letter.secondFactor = phone }
                }
            )
        }
        let others: [(String, LetterKind, SampleLetter.Change)] = [
            ("addEmail", .action(.verifyAndChangeEmail), { $0.accountCreatedAt = Timestamp(Self.now - 90 * 86400) }),
            ("providerAdded", .notice(.providerAdded), { $0.provider = words ?? "Google" }),
            ("passwordChanged", .notice(.passwordChanged), { _ in }),
            ("emailChanged", .notice(.emailChanged), { $0.otherEmail = other }), ("emailRestored", .notice(.emailRestored), { _ in }),
            ("secondFactorRemoved", .notice(.secondFactorRemoved), { $0.secondFactor = phone }),
            ("secondFactorRemoved-bare", .notice(.secondFactorRemoved), { _ in }),
            ("accountDeleted", .notice(.accountDeleted), { _ in }),
            ("choosePassword", .action(.resetPassword), { $0.formerPassword = .never }),
            ("invitation", .invitation, { $0.formerPassword = .never }),
            ("providerRemoved", .notice(.providerRemoved), { $0.provider = words ?? "Google · +••• ••45" }),
            ("noPassword", .notice(.noPassword), { $0.provider = words ?? "Google" }),
            ("recoveryCodeUsed", .notice(.recoveryCodeUsed), { _ in }), ("sessionsEnded", .notice(.sessionsEnded), { _ in }),
            ("registrationTried", .notice(.registrationTried), { $0.link = home }),
            ("newNetwork", .notice(.newNetwork), { $0.link = home }),
            ("passwordRemoved", .notice(.passwordRemoved), { _ in }), ("addressLeft", .notice(.addressLeft), { _ in }),
            ("sentAgain", .action(.verifyEmail), { $0.isSentAgain = true }),
            ("noAccount", .notice(.noAccount), { $0.link = home }), ("passwordAdded", .notice(.passwordAdded), { $0.link = home }),
            ("alreadyMember", .notice(.alreadyMember), { $0.link = home }),
        ]
        return (actions + others).map { name, kind, change in
            let isMove = name == "verifyAndChangeEmail"
            var letter = Letter(kind, to: isMove ? other : account, language: "en", createdAt: Timestamp(Self.now))
            letter.displayName = words ?? "Ada Lovelace"
            if kind.action != nil || kind == .notice(.newNetwork) { letter.device = ClientDevice(browser: "Firefox", system: "Android") }
            letter.confirmationNumber = "4182"
            if name == "verifyEmail" || name == "addEmail" { letter.waysIn = WaysIn(hasPassword: true, names: ["Google", "+••• ••45"]) }
            if kind.action != nil {
                letter.link =
                    "https://accounts.app.example/__/auth/action?mode=resetPassword&oobCode=" + String(repeating: "Ab9_", count: 11)
                    + "&apiKey=key&continueUrl=https%3A%2F%2Fnotes.app.example%2F&lang=en"
                letter.expiresAt = Timestamp(Self.now + 3600)
            }
            change(&letter)
            return (name, SampleLetter(letter: letter, brand: brand))
        }
    }

    func devPages(_ brand: Brand) -> [(name: String, page: DevPage)] {
        let stored = StoredMail(
            id: MailID(rawValue: 1), project: ProjectID(rawValue: "demo"), recipient: address(Samples().account),
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
        var inbox = DevInbox(brand: brand, mails: [mail, mail], kinds: ["resetPassword", words ?? "signIn"], version: "1")
        (inbox.search, inbox.recipient, inbox.kind) = (words ?? "reset", words ?? account, "resetPassword")
        var texts = DevInbox(brand: brand, mails: [])
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
            ("dev-inbox-empty", .inbox(DevInbox(brand: brand, mails: []))),
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
                ("dev-mail-\(tab)", .mail(mail, tab, text: tab.isPreview ? nil : words ?? "Hello", brand: brand))
            }
    }
}

/// A letter in the look of a brand.
struct SampleLetter {
    typealias Change = (inout Letter) -> Void

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
