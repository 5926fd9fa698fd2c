internal import Accounts
internal import Base
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import Views

/// Renders pages in the language and the brand of a request, and errors as JSON if it asks for
/// that. A class, so that passing it on copies one reference.
final class PageRenderer: Sendable {
    let views: Views
    let brands: Brands
    let now: Now
    let logger: Logger
    /// The languages of recent `Accept-Language` values: browsers send few different ones.
    private let languages = BoundedCache<[UInt8], Language?>(capacity: 1024)
    /// The longest `Accept-Language` value that is cached, in bytes.
    private static let longestCachedField = 128

    init(views: Views, brands: Brands, now: @escaping Now, logger: Logger) {
        (self.views, self.brands, self.now, self.logger) = (views, brands, now, logger)
    }

    func page(
        _ content: Page.Content, _ context: PageContext, _ status: HTTPResponse.Status = .ok, formTarget: String? = nil,
        hasManifest: Bool = false
    ) -> Response {
        let brand = context.project.map(brands.brand) ?? brands.neutral
        let language = language(of: context)
        let fields = context.fields + [Form.Field(Self.switchedFrom, language.code)]
        let page = Page(
            content, brand: brand, now: Date(now()),
            languageSwitch: !context.isShownAgain ? nil : LanguageSwitch(form: Form(path: context.path, hidden: fields)),
            requestID: context.request.id)
        return .page(status, html: views.html(page, in: language), formTarget: formTarget, hasManifest: hasManifest)
    }

    /// The response to an error: a page, or JSON if the client asked for it.
    ///
    /// - Parameters:
    ///   - account: the masked address that a new link would be sent to.
    ///   - next: where the user can go on to.
    ///   - resend: the form that sends a new link.
    ///   - passwordReset: the form that sends a password reset after an undo.
    func error(
        _ error: RequestError, _ context: PageContext, account: String? = nil, next: ContinueLink = .nowhere,
        resend: Form? = nil, passwordReset: Form? = nil
    ) -> Response {
        error.log(to: logger, context.request)
        let report = ErrorReport(error, at: now())
        if context.wantsJSON { return report.json }
        let retry = report.offersRetry ? context.retryForm : nil
        let errorPage = ErrorPage(
            report.pageReason, account: account, next: next, resend: resend, passwordReset: passwordReset, retry: retry)
        var response = page(.error(errorPage), context, report.pageStatus)
        for field in [HTTPField.Name.retryAfter, .allow] { response.headers[field] = report.json.headers[field] }
        return response
    }

    /// The field of the language switch with the language of its page.
    static let switchedFrom = "from"

    /// Whether the language switch was used without choosing another language, as programs do that
    /// press every button.
    func followsIdleControl(_ context: PageContext) -> Bool {
        context.request[Self.switchedFrom].map { $0 == language(of: context).code } ?? false
    }

    /// The language of the link, or else of the browser, or else of the project (P8).
    func language(of context: PageContext) -> Language {
        if let chosen = views.language(matching: context.language) { return chosen }
        let accepting = context.request.head.headerFields.lazy.filter { $0.name == .acceptLanguage }
        return accepting.compactMap { self.languageAccepted(by: $0.value) }.first
            ?? views.language(liking: [context.project?.language].compactMap(\.self))
    }

    /// The shipped language that suits an `Accept-Language` best; nil if none does.
    private func languageAccepted(by field: String) -> Language? {
        func best() -> Language? { WeightedItems(field).best(16).lazy.compactMap { [views] in views.language(matching: $0) }.first }
        // By bytes: equal strings may differ in them, and one would decide for the other.
        let bytes = Array(field.utf8.prefix(Self.longestCachedField + 1))
        return bytes.count <= Self.longestCachedField ? languages[bytes, or: best()] : best()
    }
}
