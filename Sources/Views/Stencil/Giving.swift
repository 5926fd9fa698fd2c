import Foundation

// Each gives up all that a request brings, and nothing else: what is left is equal for all pages that differ in texts and times alone.

extension Page {
    mutating func give(to blanks: inout Blanks) {
        now = .distantPast
        content.give(to: &blanks)
        blanks.take(&requestID)
        guard var form = languageSwitch?.form else { return }
        blanks.take(&form)
        languageSwitch = LanguageSwitch(form: form)
    }
}

extension Page.Content {
    fileprivate mutating func give(to blanks: inout Blanks) {
        switch self {
        case .confirm(var confirmation):
            confirmation.give(to: &blanks)
            self = .confirm(confirmation)
        case .done(var completion):
            completion.give(to: &blanks)
            self = .done(completion)
        case .trouble(var trouble):
            trouble.give(to: &blanks)
            self = .trouble(trouble)
        case .sent(var sending):
            blanks.take(&sending.account)
            self = .sent(sending)
        case .openApp(var offer):
            offer.give(to: &blanks)
            self = .openApp(offer)
        }
    }
}

extension Confirmation {
    fileprivate mutating func give(to blanks: inout Blanks) {
        blanks.take(&form)
        blanks.take(&account)
        blanks.take(&newAccount)
        blanks.take(&factor)
        blanks.take(&destination)
        blanks.take(&expires)
        blanks.take(&newerSent)
    }
}

extension Completion {
    fileprivate mutating func give(to blanks: inout Blanks) {
        blanks.take(&account)
        blanks.take(&newAccount)
        blanks.take(&factor)
        blanks.take(&next)
        blanks.take(&passwordReset)
    }
}

extension Trouble {
    fileprivate mutating func give(to blanks: inout Blanks) {
        reason.give(to: &blanks)
        blanks.take(&account)
        blanks.take(&next)
        blanks.take(&resend)
        blanks.take(&retry)
    }
}

extension Trouble.Reason {
    fileprivate mutating func give(to blanks: inout Blanks) {
        switch self {
        case .expired(var moment):
            blanks.take(&moment)
            self = .expired(moment)
        case .newerLinkSent(var moment):
            blanks.take(&moment)
            self = .newerLinkSent(moment)
        case .tooManyTries(var moment):
            blanks.take(&moment)
            self = .tooManyTries(moment)
        case .alreadyDone, .damaged, .wrongAction, .withdrawn, .unavailable, .uncertain, .pageExpired, .accountClosed, .addressTaken,
            .notOffered, .linkRefused, .notFound, .notUnderstood:
            break
        }
    }
}

extension AppOffer {
    fileprivate mutating func give(to blanks: inout Blanks) {
        blanks.take(&open)
        blanks.take(&store)
        blanks.take(&web)
    }
}
