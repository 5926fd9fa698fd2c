package import Foundation

/// A page behind an action link: what every page carries, and what it is about.
package struct Page: Sendable, Hashable {
    /// Each case is one row of the table of pages.
    package enum Content: Sendable, Hashable {
        /// Says what will happen and asks for the press of a button.
        case confirm(Confirmation)
        /// Says that it happened, and offers the way on.
        case done(Completion)
        /// Says what went wrong, and offers the way on.
        case trouble(Trouble)
        /// Says the same whether or not there is an account so that nothing is learnt from it.
        case sent(Sending)
        /// Behind an app link, where the app did not open by itself.
        case openApp(AppOffer)
    }

    /// What the page is about.
    package var content: Content
    /// Whose page it is.
    package var brand: Brand
    /// The moment that relative times count from.
    package var now: Date
    /// Nil hides the switch.
    package var languageSwitch: LanguageSwitch?
    /// Stands in the small print of troubles only.
    package var requestID: String?

    package init(_ content: Content, brand: Brand, now: Date, languageSwitch: LanguageSwitch? = nil, requestID: String? = nil) {
        self.content = content
        self.brand = brand
        self.now = now
        self.languageSwitch = languageSwitch
        self.requestID = requestID
    }
}
