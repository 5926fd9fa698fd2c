internal import AppLinks
internal import Base

extension PendingAction {
    /// The app link that was mailed with this code, for another device of the user; nil if the mail
    /// has the URL of the page itself, or if the project no longer allows the settings. An upstream
    /// does not tell what it mailed.
    ///
    /// - Parameter link: the link of the page, which has the code and the language.
    public func mailedAppLink(of link: ActionLink) -> String? {
        guard record.settings.handleCodeInApp, let settings = try? ApprovedSettings(stillAllowed: record.settings, in: project) else {
            return nil
        }
        let page = ActionLink(
            action: action, code: link.code, apiKey: link.apiKey, continueURL: settings.continueURLInLinks, language: link.language
        ).url(on: project.actionURL)
        let mailed = settings.mailedLink(for: page)
        return mailed == page.serialized ? nil : mailed
    }
}
