internal import Accounts
import Foundation

extension Samples {
    public typealias NamedPage = (name: String, content: Page.Content)

    /// Every state of every page.
    public var pages: [NamedPage] {
        confirmations + passwords + questions + choices + completions + errors + appLinks + [
            ("sent-newLink", .sent(MailSentPage(.newLink, account: account))), ("sent-passwordReset", .sent(MailSentPage(.passwordReset))),
        ]
    }

    private var soon: Date { now + 3480 }
    private var host: String { words ?? "notes.app.example" }
    private var device: ClientDevice? { ClientDevice(browser: "Firefox", system: "Android") }
    private var waysIn: WaysIn { WaysIn(hasPassword: true, names: [words ?? "Google", words ?? "+••• ••45"]) }

    private var confirmations: [NamedPage] {
        let usual = Action.allCases.flatMap { action -> [NamedPage] in
            let page = ConfirmationPage(
                action, form: form, account: account, newAccount: action == .verifyAndChangeEmail || action == .recoverEmail ? other : nil,
                factor: action == .revertSecondFactorAddition ? factor : nil, destination: host, expires: soon,
                passwordRequirements: passwordRequirements)
            return [("confirm-\(action)", .confirm(page)), ("confirm-\(action)-bare", .confirm(ConfirmationPage(action, form: form)))]
        }
        let changes = [AddressChangeFacts(signsInByAddress: true, tellsFormer: true), .init(signsInByAddress: false, tellsFormer: false)]
        let addressChanges = zip(["changeEmail", "changeEmail-provider"], changes).map { name, change -> NamedPage in
            let page = ConfirmationPage(
                .verifyAndChangeEmail, form: form, account: account, newAccount: other, destination: host, expires: soon,
                requested: now - 60,
                device: device, addressChange: change)
            return ("confirm-\(name)", .confirm(page))
        }
        let firstAddress = ConfirmationPage(
            .verifyAndChangeEmail, form: form, newAccount: other, destination: host, expires: soon, requested: now - 60,
            waysIn: WaysIn(hasPassword: false, names: [words ?? "Google", "+••• ••45"]), accountCreated: now - 90 * 86400)
        let waysIn = ConfirmationPage(
            .verifyEmail, form: form, account: account, destination: host, expires: soon, requested: now - 300, device: device,
            waysIn: waysIn, offer: .init(.notMine, form: form))
        let newer = ConfirmationPage(.verifyEmail, form: form, account: account, expires: soon, newerSent: now - 300)
        let code = ScannableCode(viewBox: words ?? "0 0 29 29", path: words ?? "M4 4.5h7m1 0h2")
        return usual + addressChanges + [
            ("confirm-addEmail", .confirm(firstAddress)), ("confirm-ways", .confirm(waysIn)), ("confirm-newer", .confirm(newer)),
            ("scannable", .confirm(ConfirmationPage(.signIn, form: form, phoneCode: code))),
        ]
    }

    private var passwords: [NamedPage] {
        let states: [(String, PasswordFacts)] = [
            ("choosePassword", PasswordFacts(former: .never, confirmsAddress: true)), ("firstPassword", PasswordFacts(former: .never)),
            ("replacePassword", PasswordFacts(former: .inForce, confirmsAddress: true, endedProviders: [words ?? "Google", "GitHub"])),
        ]
        let requirements = PasswordRequirements(minimumLength: 8, maximumLength: 128, classes: Set(CharacterClass.allCases))
        return states.map { name, facts in
            (
                "confirm-\(name)",
                .confirm(
                    ConfirmationPage(
                        .resetPassword, form: form, account: account, destination: host, expires: soon, passwordFacts: facts,
                        passwordRequirements: passwordRequirements))
            )
        }
            + PasswordPolicy.Objection.allCases.map { objection in
                var page = ConfirmationPage(
                    .resetPassword, form: form, account: account, expires: soon, passwordRequirements: passwordRequirements,
                    objections: [objection])
                if case .lacks = objection {
                    page.passwordRequirements = requirements
                    page.objections.append(.lacks(.numeric))
                }
                return ("refused-\(objection.name)", .confirm(page))
            }
    }

    private var questions: [NamedPage] {
        ConfirmationQuestion.allCases.map { question in
            (
                "confirm-asked-\(question)",
                .confirm(
                    ConfirmationPage(
                        .verifyEmail, form: form, account: account, expires: soon, newerSent: now - 300, question: question,
                        numberTriesLeft: 3))
            )
        }
    }

    private var choices: [NamedPage] {
        ActionChoice.allCases.flatMap { choice -> [NamedPage] in
            let page = ConfirmationPage(
                choice.action, form: form, account: account, newAccount: other, expires: soon, waysIn: waysIn, choice: choice,
                rivalMade: now - 90_000)
            let done = CompletionPage(choice.action, account: account, choice: choice)
            return [("choice-\(choice)", .confirm(page)), ("choice-\(choice)-done", .done(done))]
        }
    }

    private var completions: [NamedPage] {
        let usual = Action.allCases.flatMap { action in
            [("next", next), ("refused", .refused), ("nowhere", .nowhere)].map { name, next -> NamedPage in
                let page = CompletionPage(
                    action, account: account, newAccount: other, factor: factor, next: next, passwordReset: action.isUndo ? form : nil)
                return ("done-\(action)-\(name)", .done(page))
            }
        }
        let change = AddressChangeFacts(signsInByAddress: true, tellsFormer: true)
        let remaining = [CompletionPage.Remaining(name: factor, form: form), .init(name: nil, form: form)]
        return usual + [
            (
                "done-changeEmail",
                .done(CompletionPage(.verifyAndChangeEmail, account: account, newAccount: other, next: next, addressChange: change))
            ), ("done-addEmail", .done(CompletionPage(.verifyAndChangeEmail, newAccount: other, next: next))),
            ("done-invitation", .done(CompletionPage(.resetPassword, account: account, next: next, stay: form, welcomes: true))),
            ("done-resetPassword-soon", .done(CompletionPage(.resetPassword, account: account, next: next, stay: form))),
            (
                "done-remaining",
                .done(CompletionPage(.recoverEmail, account: account, next: next, newPassword: form, remaining: remaining))
            ),
            (
                "done-recoverEmail-first",
                .done(CompletionPage(.recoverEmail, account: account, next: next, newPassword: form, isFirstPassword: true))
            ),
        ]
    }

    private var errors: [NamedPage] {
        let reasons = ErrorPage.Reason.samples(at: now, words: words)
        let (resent, retried): (Set<String>, Set<String>) = (
            ["expired", "expiredSometime", "withdrawn", "wrongNumbers", "unknown"],
            ["pageExpired", "notUnderstood", "tooManyTries", "unavailable", "uncertain"]
        )
        return reasons.flatMap { name, reason -> [NamedPage] in
            let isResent = resent.contains(name)
            let ways = ErrorPage(
                reason, account: isResent ? account : nil, next: isResent ? .nowhere : next, resend: isResent ? form : nil,
                passwordReset: reason == .alreadyDone(.recoverEmail) ? form : nil, retry: retried.contains(name) ? form : nil)
            return [("error-\(name)", .error(ErrorPage(reason))), ("error-\(name)-ways", .error(ways))]
        }
    }

    private var appLinks: [NamedPage] {
        let (intent, store) = (words ?? "intent://x#Intent;end", words ?? "https://store.example/a")
        let outdated = OpenAppPage.Outdated(
            manifest: "/__/auth/apps.webmanifest", app: words ?? "com.example.app", versions: words ?? #"["1.0"]"#, store: store)
        let preview = LinkPreview(title: words ?? "Spring sale", description: words ?? "Ends on Friday")
        return [
            (
                "openApp",
                .openApp(
                    OpenAppPage(
                        open: [intent, words ?? "com.example.app://x"], store: store, copied: words ?? "https://links.example/?link=x",
                        web: next, webOfMac: words ?? "https://app.example/mac"))
            ), ("openApp-only", .openApp(OpenAppPage(open: [intent], web: next))),
            ("openApp-none", .openApp(OpenAppPage(web: .nowhere))),
            ("openApp-outdated", .openApp(OpenAppPage(open: [intent], store: store, web: next, outdated: outdated))),
            ("openApp-preview", .openApp(OpenAppPage(web: next, preview: LinkPreview()))),
            ("openApp-preview-own", .openApp(OpenAppPage(web: next, preview: preview))),
        ]
    }
}

extension PasswordPolicy.Objection {
    fileprivate var name: String { if case .lacks(let kind) = self { "no-\(kind)" } else { "\(self)" } }
}
