internal import Accounts
internal import AppLinks
internal import Base
internal import Views

/// The context in which a page is rendered: the request, the project, the language, and how to show
/// the same page again. It is a class because it is large, passed on often and never changed.
final class PageContext: Sendable {
    let request: Request
    /// Whether the response is JSON instead of a page.
    let wantsJSON: Bool
    let project: Project?
    let link: ActionLink?
    /// The path and the query of the same page by GET.
    let path: String
    let fields: [Form.Field]
    /// Whether the page can be shown again in another language.
    let isShownAgain: Bool
    /// The language that the link or the query asks for; nil if neither does.
    let language: String?

    /// Creates the context of a link's page, or of a page without a link.
    init(_ request: Request, project: Project? = nil, link: ActionLink? = nil, choice: ActionChoice? = nil) {
        self.request = request
        wantsJSON = request.wantsJSON
        self.project = project
        self.link = link
        path = ActionPages.path
        let query = link?.query.compactMap { $0.name == "lang" ? nil : Form.Field($0.name, $0.value) } ?? []
        fields = query + [choice].compactMap { $0.map(Form.Field.init(choice:)) }
        isShownAgain = !fields.isEmpty
        language = link?.language ?? request["lang"]
    }

    /// Creates the context of a page without a link, at its own path. A path that a browser would
    /// take for another site's address is not repeated.
    init(withoutLink request: Request, project: Project? = nil) {
        self.request = request
        wantsJSON = request.wantsJSON
        self.project = project
        link = nil
        isShownAgain = request.path.hasPrefix("/") && !request.path.hasPrefix("//") && !request.path.contains("\\")
        path = request.path
        fields = []
        language = request["lang"]
    }

    /// Creates the context of the page after an action, which a receipt describes.
    /// - Parameters:
    ///   - sealed: the receipt as the request has it.
    ///   - language: the language that the request asks for.
    init(_ request: Request, project: Project, link: ActionLink, receipt: Receipt, sealed: String, language: String?) {
        self.request = request
        wantsJSON = request.wantsJSON
        self.project = project
        self.link = link
        path = ActionPages.donePath
        fields = [Form.Field("receipt", sealed)]
        isShownAgain = true
        self.language = language ?? receipt.language
    }

    /// Creates the context of the page of an app link. An action link inside it names the language.
    init(_ request: Request, project: Project, appLink: AppLink) {
        self.request = request
        wantsJSON = request.wantsJSON
        self.project = project
        link = nil
        let url = appLink.url
        path = url.path
        fields = url.queryItems.map { Form.Field($0.name, $0.value) }
        isShownAgain = !fields.isEmpty
        language = request["lang"] ?? appLink.link.queryItems.first { $0.name == "lang" }?.value
    }

    /// The form that shows the same page again by GET; nil if the page has no link or receipt.
    var retryForm: Form? {
        fields.isEmpty ? nil : Form(path: path, hidden: fields + (language.map { [Form.Field("lang", $0)] } ?? []))
    }
}

extension Form.Field {
    static let choice = "choice"

    init(choice: ActionChoice) { self.init(Self.choice, choice.rawValue) }
}
