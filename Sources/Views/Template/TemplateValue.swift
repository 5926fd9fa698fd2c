/// The format that a template is rendered in.
enum Medium { case html, text }

/// A value for a key of a template, or for an argument of a phrase.
indirect enum TemplateValue {
    /// A text in the direction of the page.
    case text(String)
    /// A text that a user or an app chose, in any direction, isolated from the sentence around it.
    case name(String)
    /// An address, a host or a link, which runs from left to right in every language.
    case address(String)
    /// The address that a sentence is about.
    case mainAddress(String)
    /// A time in the language of the page, and in ISO 8601.
    case time(String, iso: String)
    case link(to: String, shown: String)
    case phrase(Phrase, PhraseArguments)
    /// The title of a page: no line of it ends within a word such as *e-mail*.
    case heading(Phrase, PhraseArguments)
    /// A phrase without markup, for titles, attributes and subjects.
    case plain(Phrase, PhraseArguments)
    /// Markup of a template that was checked when it was read, with escaped values.
    case markup(String)
    case flag
    case group(TemplateContext)
    case list([TemplateContext])
}

typealias TemplateContext = [TemplateKey: TemplateValue]
typealias PhraseArguments = [PhraseArgument: TemplateValue]

/// The names that templates may use. Templates are checked against them at start, because operators
/// may edit them.
enum TemplateKey: String, Sendable, CaseIterable {
    // The layout of every page
    case language, direction, pageTitle, refresh, delay, style, script, icon, iconType, app, why, help, legal, reference
    case languageSwitch, languages, code, otherDirection, selected, label, change
    // The logo, or the letter that stands for it
    case logo, logoDark, plate, logoHasName, letter
    // The words of a page
    case title, lead, subject, note, facts, rows, steps, value, small, effect, advice, closing
    /// The icon above the title.
    case success, failure, envelope
    // Forms, buttons and links
    case form, path, hidden, name, button, href, resend, retry, reset, soon, heading, links, isMain, offer, newPassword,
        remaining
    // The page behind an app link
    case copy, preview, image, desktop, manifest, outdated, explanation, devices, targets
    // The QR code for a phone
    case phone, viewBox
    // The confirmation number
    case asked, number, focus
    // The password field
    case password, username, rules, rule, problem, problems, minimum, show, hide, showShort, hideShort, weak, fair, good
    // Mails
    case own, words, isLink, preheader, greeting, warning, details, linkBelow, link, accent, onAccent, accentDark, onAccentDark
    /// The side on which lines start, `left` or `right`.
    case start
    case appName, logoWidth, logoHeight
    // The pages of `onward dev`
    case origin, authority, host, port, project, key, accounts, address, mails, count, isEmpty, id, recipient, kind, sent, sentWords, text,
        inbox, tabs, time, texts, events, others, awaitsName, isLax, filtered, search, version, kinds, projects, actions, isDisabled,
        fields,
        states, width
}
