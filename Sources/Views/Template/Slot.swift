/// Every name that a template may use: those that the operator edits are checked against it at start.
enum Slot: String, Sendable, CaseIterable {
    // Around every page
    case language, direction, pageTitle, style, script, icon, logo, app, why, help, reference
    case languageSwitch, languages, code, selected, label, change
    // What a page says
    case title, lead, note, facts, rows, steps, value, advice, closing
    /// The sign above the title.
    case success, trouble, envelope
    // What can be pressed
    case form, path, hidden, name, button, href, resend, retry, reset, heading, links, isMain
    // The password field
    case password, username, rules, problem, problems, minimum, show, hide, weak, fair, good
    // Mails
    case subject, greeting, linkBelow, link, accent, onAccent
    // The pages of `onward dev`
    case origin, authority, host, port, project, key, accounts, address, mails, count, isEmpty, id, recipient, kind, sent, sentWords, text,
        headers
}
