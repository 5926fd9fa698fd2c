import Accounts
import Foundation

/// The texts of one request, extracted from its page.
///
/// Each text is replaced by a mark; what is left is the page's shape. The marks are 32 code points
/// that Unicode reserves for use inside programs. Files and brands that contain one are refused
/// (`containsMark`).
struct PageTexts {
    /// The number of marks. A page with more texts is rendered by its template.
    static let maxCount = 32
    private static let marks = (0..<UInt32(maxCount)).compactMap { Unicode.Scalar(0xfdd0 + $0) }.map { String($0) }

    /// In the order of the marks.
    private(set) var texts: [String] = []
    private let language: Language
    private let now: Date
    private let zone: NamedTimeZone

    /// - Parameter page: becomes its shape.
    init(extractedFrom page: inout Page, in language: Language) {
        (self.language, now, zone) = (language, page.now, page.brand.timeZone)
        texts.reserveCapacity(Self.maxCount)
        page.extract(into: &self)
    }

    mutating func take(_ text: inout String) {
        let mark = texts.count < Self.maxCount ? Self.marks[texts.count] : text
        texts.append(text)
        text = mark
    }

    mutating func take(_ text: inout String?) {
        guard var taken = text else { return }
        take(&taken)
        text = taken
    }

    mutating func take(_ time: inout RelativeTime) {
        var formatted = time.formatted(in: language, at: now, zone)
        take(&formatted.date)
        take(&formatted.iso)
        take(&formatted.distance.count)
        time = .formatted(formatted)
    }

    mutating func take(_ time: inout RelativeTime?) {
        guard var taken = time else { return }
        take(&taken)
        time = taken
    }

    /// Takes the values of a form. Its path and the names of its context come from the routes.
    mutating func take(_ form: inout Form) {
        for index in form.hidden.indices { take(&form.hidden[index].value) }
    }

    mutating func take(_ form: inout Form?) {
        guard var taken = form else { return }
        take(&taken)
        form = taken
    }

    /// Takes the names of a form's fields as well, where they come with the request.
    mutating func take(allOf form: inout Form) {
        for index in form.hidden.indices { take(&form.hidden[index].name) }
        take(&form)
    }

    mutating func take(_ outdated: inout OpenAppPage.Outdated?) {
        guard var taken = outdated else { return }
        take(&taken.app)
        take(&taken.versions)
        take(&taken.store)
        outdated = taken
    }

    mutating func take(_ preview: inout LinkPreview?) {
        guard var taken = preview else { return }
        take(&taken.title)
        take(&taken.description)
        take(&taken.image)
        preview = taken
    }

    mutating func take(_ waysIn: inout WaysIn?) {
        guard let taken = waysIn else { return }
        var names = taken.names
        for index in names.indices { take(&names[index]) }
        waysIn = WaysIn(hasPassword: taken.hasPassword, names: names)
    }

    mutating func take(_ password: inout PasswordFacts?) {
        guard let taken = password else { return }
        var names = taken.endedProviders
        for index in names.indices { take(&names[index]) }
        password = taken.ending(names)
    }

    mutating func take(_ device: inout ClientDevice?) {
        guard let taken = device else { return }
        var (browser, system) = (taken.browser, taken.system)
        take(&browser)
        take(&system)
        device = ClientDevice(browser: browser, system: system)
    }

    mutating func take(_ offer: inout ConfirmationPage.Offer?) {
        guard var taken = offer else { return }
        take(&taken.form)
        offer = taken
    }

    mutating func take(_ code: inout ScannableCode?) {
        guard var taken = code else { return }
        take(&taken.viewBox)
        take(&taken.path)
        code = taken
    }

    mutating func take(_ next: inout ContinueLink) {
        guard case .to(var host, var url) = next else { return }
        take(&host)
        take(&url)
        next = .to(host: host, url: url)
    }
}

extension String {
    /// Whether the text contains a mark, so that a compiled page could not tell it from one of its
    /// own.
    var containsMark: Bool { unicodeScalars.contains { $0.markIndex != nil } }
}

extension Unicode.Scalar {
    /// The index of the text that this mark stands for; nil if it is not a mark.
    var markIndex: Int? { (0xfdd0...0xfdef).contains(value) ? Int(value - 0xfdd0) : nil }
}

// Each `extract(into:)`, beside the fields of its page, extracts every text that a request brings,
// so that pages which differ only in texts and times have equal shapes.

extension Page {
    mutating func extract(into texts: inout PageTexts) {
        now = .distantPast
        content.extract(into: &texts)
        texts.take(&requestID)
        guard var form = languageSwitch?.form else { return }
        // A stranger chooses the path of a page that is missing.
        if case .error = content { texts.take(&form.path) }
        if case .openApp = content { texts.take(allOf: &form) } else { texts.take(&form) }
        languageSwitch = LanguageSwitch(form: form)
    }
}

extension Page.Content {
    fileprivate mutating func extract(into texts: inout PageTexts) {
        switch self {
        case .confirm(var confirmation):
            confirmation.extract(into: &texts)
            self = .confirm(confirmation)
        case .done(var completion):
            completion.extract(into: &texts)
            self = .done(completion)
        case .error(var error):
            error.extract(into: &texts)
            self = .error(error)
        case .sent(var sending):
            texts.take(&sending.account)
            self = .sent(sending)
        case .openApp(var offer):
            offer.extract(into: &texts)
            self = .openApp(offer)
        }
    }
}
