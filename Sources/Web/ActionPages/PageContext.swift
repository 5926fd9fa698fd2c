internal import Accounts
internal import EmailActions
internal import Foundation
internal import HTTPTypes
internal import Views

/// What every page needs to know beside its content: for whom, in which language, and how to show the same page in another.
/// A class because it is large, handed on often and never changed.
final class PageContext: Sendable {
    let request: Request
    let project: Project?
    let link: ActionLink?
    /// The address of the same page by GET: its path and what it needs.
    let path: String
    let fields: [Form.Field]
    /// Nil: the request's own.
    let language: String?

    /// The page of a link, or of none.
    init(_ request: Request, project: Project? = nil, link: ActionLink? = nil) {
        self.request = request
        self.project = project
        self.link = link
        path = "/__/auth/action"
        fields = link?.query.compactMap { $0.name == "lang" ? nil : Form.Field($0.name, $0.value) } ?? []
        language = link?.language ?? request["lang"]
    }

    /// The page after the deed, which its receipt leads to.
    init(_ request: Request, project: Project, link: ActionLink, receipt: Receipt) {
        self.request = request
        self.project = project
        self.link = link
        path = "/__/auth/done"
        fields = [Form.Field("receipt", request["receipt"] ?? "")]
        language = request["lang"] ?? receipt.language
    }
}

extension Site {
    /// The page in words, in the language of the link, else of the browser, else of the project (P8).
    func render(
        _ content: Page.Content, _ context: PageContext, _ status: HTTPResponse.Status = .ok, formTarget: String? = nil
    ) -> Response {
        let brand = context.project.map(brands.brand) ?? brands.standard
        let hasWayBack = !context.fields.isEmpty
        let page = Page(
            content, brand: brand, now: date(accounts.now()),
            languageSwitch: hasWayBack ? LanguageSwitch(form: Form(path: context.path, hidden: context.fields)) : nil,
            requestID: context.request.id)
        return .page(status, html: views.html(page, in: language(of: context)), formTarget: formTarget)
    }

    func trouble(_ trouble: Trouble, _ status: HTTPResponse.Status, _ context: PageContext) -> Response {
        render(.trouble(trouble), context, status)
    }

    func language(of context: PageContext) -> Language {
        if let chosen = views.language(matching: context.language) { return chosen }
        if let accepted = context.request.head.headerFields[.acceptLanguage] {
            return views.language(liking: WeightedItems(accepted).best(16))
        }
        return views.language(matching: context.project?.language) ?? views.languages[0]
    }

    func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }

    var formTokens: FormTokens { FormTokens(secrets: secrets, now: accounts.now, random: accounts.random) }
    var receipts: Receipts { Receipts(secrets: secrets, now: accounts.now) }
}
