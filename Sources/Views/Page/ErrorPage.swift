public import Accounts
import Foundation

/// The page that says why a link or a form did not work.
public struct ErrorPage: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The link was used; nil: for which action is not known.
        case alreadyDone(Action?)
        /// As before, and the user typed a new password, which may be another than the one saved.
        case passwordSavedEarlier
        /// The page was opened without a link.
        case noLink
        /// The link is of an app that is not known here.
        case unknownApp
        /// The address was confirmed by another link, or by a new password.
        case alreadyConfirmed
        case expired(RelativeTime?)
        /// The link is incomplete.
        case damaged
        /// The link is complete, but its code is not known, or no longer: it was used elsewhere, a
        /// newer one replaced it, or its account was deleted.
        case unknown
        /// As before, and the user typed a new password, which was not saved.
        case unknownAndUnsaved
        /// The link is complete, but its code is none of Onward's, or was forgotten since.
        case notKnown
        case newerLinkSent(RelativeTime)
        case wrongAction
        /// Another link was used, or the account changed.
        case withdrawn
        /// The account asked for a link to another address since.
        case replaced
        /// The confirmation number was wrong too often.
        case wrongNumbers
        case tooManyTries(RelativeTime)
        /// A part of the server is down; nothing was changed.
        case unavailable
        /// The reply of an upstream was lost, so the outcome is unknown.
        case uncertain
        /// The reply of an upstream was lost and its code is gone, so the outcome stays unknown.
        case answerLost(setsPassword: Bool)
        /// A sign-in link that leads to no page or app of the project.
        case cannotSignIn
        /// A provider's page led to no page of an app. The advice is for its developers.
        case signInUnfinished(advice: String?)
        /// The form's token is too old or belongs to another page.
        case pageExpired
        /// The account was deleted or disabled.
        case accountClosed
        /// The account has another address now.
        case addressLeft
        /// The new address belongs to another account.
        case addressTaken
        /// The project does not offer the action, or no longer does.
        case notOffered
        /// An app link that the project does not allow.
        case linkRefused
        /// An app link to a host that the project has not approved.
        case placeRefused(host: String)
        /// An app link that names another project's app.
        case appRefused(String)
        case notFound
        /// A request that no page of Onward sends.
        case notUnderstood
    }

    /// The key of the page's title and lead in a language file.
    enum Wording: String, CaseIterable {
        case alreadyDone, alreadyConfirmed, noLink, unknownApp, expired, expiredSometime, damaged, unknown, notKnown, newerLinkSent,
            wrongAction, withdrawn, replaced, wrongNumbers, tooManyTries, unavailable, uncertain, outcomeLost, passwordLost,
            cannotSignIn, pageExpired, accountClosed, addressLeft, addressTaken, notOffered, linkRefused, notFound, notUnderstood
    }

    public var reason: Reason
    /// The address of a new link; only the part that the user has shown to know.
    public var account: String?
    /// The continue URL, for success and `unknown`, and for an ended link without another to
    /// send.
    public var next: ContinueLink
    /// The form that sends a new link, by POST; nil if its address is not known.
    public var resend: Form?
    /// The form that sends a password reset, by POST, where an undo was done already.
    public var passwordReset: Form?
    /// The form that tries again, by GET.
    public var retry: Form?

    public init(
        _ reason: Reason, account: String? = nil, next: ContinueLink = .nowhere, resend: Form? = nil,
        passwordReset: Form? = nil, retry: Form? = nil
    ) {
        self.reason = reason
        self.account = account
        self.next = next
        self.resend = resend
        self.passwordReset = passwordReset
        self.retry = retry
    }
}

extension ErrorPage.Reason {
    /// Whether the link had its effect, by whatever way.
    public var isSuccess: Bool {
        switch self {
        case .alreadyDone, .passwordSavedEarlier, .alreadyConfirmed: true
        default: false
        }
    }

    /// Whether it is not known that an app made the link.
    var isOfNoApp: Bool { [.noLink, .unknownApp, .notFound, .linkRefused].contains(self) }

    /// Whether the code of the link still works, for another action or another page.
    public var isOfLiveCode: Bool { [.wrongAction, .cannotSignIn].contains(self) }

    /// Whether it is a reason to refuse an app link.
    var isOfAppLink: Bool {
        switch self {
        case .linkRefused, .placeRefused, .appRefused: true
        default: false
        }
    }
}

extension ErrorPage {
    func context(in language: Language, _ brand: Brand, _ now: Date) -> TemplateContext {
        let phrases = language.phrases.error.sentences
        let (heading, more) = heading(in: language, now, brand.timeZone)
        let arguments = brand.arguments.merging(more) { own, _ in own }
        var context = TemplateContext(heading, arguments)
        context[icon] = .flag
        context[.steps] = step(by: phrases).flatMap { $0.isFilled(by: arguments) ? .phrase($0, arguments) : nil }
        if case .signInUnfinished(let advice?) = reason { context[.advice] = .text(advice) }
        if resend == nil, retry == nil {
            let isSaid = reason.isSuccess || next == .refused
            let isMain = reason.isSuccess && passwordReset == nil
            let way = isSaid ? next.context(in: language, brand, isMain: isMain) : next.link(in: language, brand, isMain: isMain)
            context.merge(way) { own, _ in own }
        }
        if let passwordReset {
            // In place of the sentence that there is nothing more to do.
            context[.lead] = .phrase(language.phrases.next.resetLead, arguments)
            context[.reset] = .group(
                passwordReset.context.merging([.button: .phrase(language.phrases.next.resetButton, arguments)]) { own, _ in own })
        }
        if let resend {
            context[.resend] = .group(
                resend.context.merging([.text: .phrase(phrases.resendLead, arguments), .button: .phrase(phrases.resendButton, arguments)]) {
                    own, _ in
                    own
                })
        }
        context[.facts] = .facts(facts(in: language))
        if let retry {
            context[.retry] = .group(retry.context.merging([.button: .phrase(phrases.retryButton, arguments)]) { own, _ in own })
        }
        return context
    }

    /// The next step of the user, in a sentence.
    private func step(by phrases: Phrases.Errors.Sentences) -> Phrase? {
        switch reason {
        case .damaged: phrases.copyWhole
        case .unknown, .notKnown: phrases.startOver
        case .passwordSavedEarlier, .unknownAndUnsaved: phrases.notSaved
        default: nil
        }
    }

    /// The address of a new link.
    private func facts(in language: Language) -> [Fact] {
        resend == nil ? [] : account.map { [(language.phrases.facts.account, .address($0))] } ?? []
    }

    /// The icon above the title.
    private var icon: TemplateKey {
        switch reason {
        case .alreadyDone, .passwordSavedEarlier, .alreadyConfirmed: .success
        case .newerLinkSent: .envelope
        default: .failure
        }
    }

    private func heading(in language: Language, _ now: Date, _ zone: NamedTimeZone) -> (Phrases.Heading, PhraseArguments) {
        let (phrases, sentences) = (language.phrases.error, language.phrases.error.sentences)
        func done(_ action: Action) -> Phrases.Heading {
            Phrases.Heading(title: language.phrases.done[action].title, lead: sentences.doneEarlier)
        }
        func refused(_ lead: Phrase) -> Phrases.Heading { Phrases.Heading(title: phrases[.linkRefused].title, lead: lead) }
        func plain(_ wording: Wording) -> (Phrases.Heading, PhraseArguments) { (phrases[wording], [:]) }
        func timed(_ wording: Wording, _ time: RelativeTime) -> (Phrases.Heading, PhraseArguments) {
            (phrases[wording], time.formatted(in: language, at: now, zone).arguments(in: language))
        }
        return switch reason {
        case .alreadyDone(let action?): (done(action), [:])
        case .alreadyDone(nil): plain(.alreadyDone)
        case .passwordSavedEarlier: (done(.resetPassword), [:])
        case .noLink: plain(.noLink)
        case .unknownApp: plain(.unknownApp)
        case .alreadyConfirmed: plain(.alreadyConfirmed)
        case .expired(let time?): timed(.expired, time)
        case .expired(nil): plain(.expiredSometime)
        case .damaged: plain(.damaged)
        case .unknown, .unknownAndUnsaved: plain(.unknown)
        case .notKnown: plain(.notKnown)
        case .newerLinkSent(let time): timed(.newerLinkSent, time)
        case .wrongAction: plain(.wrongAction)
        case .withdrawn: plain(.withdrawn)
        case .replaced: plain(.replaced)
        case .wrongNumbers: plain(.wrongNumbers)
        case .tooManyTries(let time): timed(.tooManyTries, time)
        case .unavailable: plain(.unavailable)
        case .uncertain: plain(.uncertain)
        case .answerLost(let setsPassword): plain(setsPassword ? .passwordLost : .outcomeLost)
        case .cannotSignIn: plain(.cannotSignIn)
        case .signInUnfinished: (Phrases.Heading(title: phrases[.notUnderstood].title, lead: phrases[.wrongAction].lead), [:])
        case .pageExpired: plain(.pageExpired)
        case .accountClosed: plain(.accountClosed)
        case .addressLeft: plain(.addressLeft)
        case .addressTaken: plain(.addressTaken)
        case .notOffered: plain(.notOffered)
        case .linkRefused: plain(.linkRefused)
        case .placeRefused(let host): (refused(sentences.placeRefused), [.host: .address(host)])
        case .appRefused(let name): (refused(sentences.appRefused), [.name: .address(name)])
        case .notFound: plain(.notFound)
        case .notUnderstood: plain(.notUnderstood)
        }
    }
}

extension ErrorPage {
    mutating func extract(into texts: inout PageTexts) {
        reason.extract(into: &texts)
        texts.take(&account)
        texts.take(&next)
        texts.take(&resend)
        texts.take(&passwordReset)
        texts.take(&retry)
    }
}

extension ErrorPage.Reason {
    fileprivate mutating func extract(into texts: inout PageTexts) {
        switch self {
        case .expired(var time):
            texts.take(&time)
            self = .expired(time)
        case .newerLinkSent(var time):
            texts.take(&time)
            self = .newerLinkSent(time)
        case .tooManyTries(var time):
            texts.take(&time)
            self = .tooManyTries(time)
        case .placeRefused(var host):
            texts.take(&host)
            self = .placeRefused(host: host)
        case .appRefused(var name):
            texts.take(&name)
            self = .appRefused(name)
        case .signInUnfinished(advice: var advice?):
            texts.take(&advice)
            self = .signInUnfinished(advice: advice)
        // The others bring no text.
        default: break
        }
    }

    /// Each reason with its name, for the gallery and for tests.
    /// - Parameter words: what stands in place of each text that a request brings.
    static func samples(at now: Date, words: String?) -> [(String, Self)] {
        [
            ("alreadyDone", .alreadyDone(.verifyEmail)), ("alreadyDone-undo", .alreadyDone(.recoverEmail)),
            ("alreadyDone-unknown", .alreadyDone(nil)), ("passwordSavedEarlier", .passwordSavedEarlier), ("noLink", .noLink),
            ("unknownApp", .unknownApp), ("alreadyConfirmed", .alreadyConfirmed), ("expired", .expired(.past(now - 90_000))),
            ("expiredSometime", .expired(nil)), ("damaged", .damaged), ("unknown", .unknown), ("unknownAndUnsaved", .unknownAndUnsaved),
            ("notKnown", .notKnown), ("newerLinkSent", .newerLinkSent(.past(now - 130))), ("wrongAction", .wrongAction),
            ("replaced", .replaced), ("withdrawn", .withdrawn), ("wrongNumbers", .wrongNumbers),
            ("tooManyTries", .tooManyTries(.future(now + 120))), ("unavailable", .unavailable), ("uncertain", .uncertain),
            ("answerLost", .answerLost(setsPassword: false)), ("passwordLost", .answerLost(setsPassword: true)),
            ("cannotSignIn", .cannotSignIn), ("signInUnfinished", .signInUnfinished(advice: nil)),
            ("signInUnfinished-advice", .signInUnfinished(advice: words ?? "The app did not say where to go on.")),
            ("pageExpired", .pageExpired), ("accountClosed", .accountClosed), ("addressLeft", .addressLeft),
            ("addressTaken", .addressTaken),
            ("notOffered", .notOffered), ("linkRefused", .linkRefused), ("placeRefused", .placeRefused(host: words ?? "evil.example")),
            ("appRefused", .appRefused(words ?? "com.evil")), ("notFound", .notFound), ("notUnderstood", .notUnderstood),
        ]
    }
}
