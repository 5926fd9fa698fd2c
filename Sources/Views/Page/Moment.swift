package import Foundation

/// A moment that a page names, by the clock and by how far it is from now.
package enum Moment: Sendable, Hashable {
    /// One that is over: *5 minutes ago*.
    case past(Date)
    /// One to come: *for 5 minutes*.
    case ahead(Date)
    /// Either, put into the words of the page's language.
    case told(Told)

    /// What a language says of a moment.
    package struct Told: Sendable, Hashable {
        var date, iso: String
        var span: Span

        /// What phrases about a moment leave open.
        func blanks(in language: Language) -> [Blank: Value] { [.duration: language.saying(span), .time: .time(date, iso: iso)] }
    }

    func told(in language: Language, at now: Date) -> Told {
        switch self {
        case .past(let date): language.told(date, span: language.span(from: date, to: now))
        case .ahead(let date): language.told(date, span: language.span(from: now, to: date))
        case .told(let told): told
        }
    }
}

extension Language {
    fileprivate func told(_ date: Date, span: Span) -> Moment.Told {
        Moment.Told(date: self.date(date), iso: date.iso, span: span)
    }
}
