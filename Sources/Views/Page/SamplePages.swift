internal import Accounts
public import Foundation

extension Page.Content {
    /// Every kind of page with plain samples, and with as little as it can have.
    public static func samples(at now: Date) -> [Page.Content] {
        let form = Form(path: "/__/auth/action", hidden: [.init("oobCode", "SAMPLE")])
        let next = ContinueLink.to(host: "app.example.com", url: "https://app.example.com/")
        let (account, other, soon) = ("sample@example.com", "other-sample@example.com", now + 3600)
        let confirmations = Action.allCases.flatMap { action -> [Page.Content] in
            let full = ConfirmationPage(
                action, form: form, account: account, newAccount: other, factor: "Sample phone", destination: "app.example.com",
                expires: soon, newerSent: now - 300, requested: now - 60, device: ClientDevice(browser: "Sample", system: "Sample"),
                waysIn: WaysIn(hasPassword: true, names: ["Sample"]), offer: .init(.notMine, form: form))
            return [.confirm(full), .confirm(ConfirmationPage(action, form: form))]
        }
        let firstAddress: [Page.Content] = [
            .confirm(
                ConfirmationPage(
                    .verifyAndChangeEmail, form: form, newAccount: other, expires: soon,
                    waysIn: WaysIn(hasPassword: false, names: ["Sample"]), accountCreated: now - 90_000)),
            .done(CompletionPage(.verifyAndChangeEmail, newAccount: other, next: next)),
        ]
        let changes = [AddressChangeFacts(signsInByAddress: true, tellsFormer: true), .init(signsInByAddress: false, tellsFormer: false)]
        let addressChanges = changes.flatMap { change -> [Page.Content] in
            [
                .confirm(
                    ConfirmationPage(
                        .verifyAndChangeEmail, form: form, account: account, newAccount: other, expires: soon, addressChange: change)),
                .done(CompletionPage(.verifyAndChangeEmail, account: account, newAccount: other, next: next, addressChange: change)),
            ]
        }
        let firstAfterUndo = Page.Content.done(
            CompletionPage(.recoverEmail, account: account, next: next, newPassword: form, isFirstPassword: true))
        let firstPassword = [
            PasswordFacts(former: .inForce, confirmsAddress: true, endedProviders: ["Sample"]), .init(former: .never),
        ]
        .map { Page.Content.confirm(ConfirmationPage(.resetPassword, form: form, account: account, expires: soon, passwordFacts: $0)) }
        let welcome = Page.Content.done(CompletionPage(.resetPassword, account: account, next: next, stay: form, welcomes: true))
        let objections = PasswordPolicy.Objection.allCases.map { objection -> Page.Content in
            .confirm(ConfirmationPage(.resetPassword, form: form, expires: soon, objections: [objection]))
        }
        let questions = ConfirmationQuestion.allCases.map { question -> Page.Content in
            .confirm(ConfirmationPage(.verifyEmail, form: form, account: account, expires: soon, question: question))
        }
        let choices = ActionChoice.allCases.flatMap { choice -> [Page.Content] in
            let page = ConfirmationPage(choice.action, form: form, account: account, expires: soon, choice: choice, rivalMade: now - 90_000)
            return [.confirm(page), .done(CompletionPage(choice.action, account: account, choice: choice))]
        }
        let completions = Action.allCases.flatMap { action in
            [next, .refused, .nowhere].map { next -> Page.Content in
                .done(
                    CompletionPage(
                        action, account: account, newAccount: other, factor: "Sample phone", next: next, stay: form,
                        passwordReset: form, newPassword: form,
                        remaining: [.init(name: nil, form: form), .init(name: "Sample", form: form)]))
            }
        }
        let errors = ErrorPage.Reason.samples(at: now).flatMap { reason -> [Page.Content] in
            let ways = ErrorPage(reason, account: account, next: next, resend: form, passwordReset: form, retry: form)
            return [.error(ErrorPage(reason)), .error(ways)]
        }
        let offer = OpenAppPage(
            open: ["intent://x#Intent;end"], store: "https://store.example/", copied: "https://links.example/", web: next,
            preview: LinkPreview(title: "Sample"))
        let others: [Page.Content] = [
            .sent(MailSentPage(.newLink, account: account)), .sent(MailSentPage(.passwordReset)), .openApp(offer),
            .openApp(OpenAppPage(web: .nowhere)),
        ]
        return confirmations + firstAddress + addressChanges + firstPassword + [welcome, firstAfterUndo] + objections + questions + choices
            + completions + errors + others
    }
}

extension ErrorPage.Reason {
    fileprivate static func samples(at now: Date) -> [ErrorPage.Reason] {
        [
            .alreadyDone(nil), .alreadyDone(.verifyEmail), .alreadyDone(.recoverEmail), .noLink, .unknownApp, .passwordSavedEarlier,
            .alreadyConfirmed, .expired(.past(now - 90_000)), .expired(nil), .damaged, .unknown,
            .unknownAndUnsaved, .notKnown,
            .newerLinkSent(.past(now - 130)), .wrongAction, .withdrawn, .replaced, .wrongNumbers, .tooManyTries(.future(now + 120)),
            .unavailable,
            .uncertain, .answerLost(setsPassword: false), .answerLost(setsPassword: true), .cannotSignIn,
            .signInUnfinished(advice: "Sample"),
            .signInUnfinished(advice: nil), .pageExpired, .accountClosed,
            .addressLeft,
            .addressTaken, .notOffered, .linkRefused, .placeRefused(host: "other.example"), .appRefused("com.example.other"), .notFound,
            .notUnderstood,
        ]
    }
}
