public import AppLinks
public import Base

/// The parameters of an action link, read from its query, each at most once (L7, L8). They are not
/// yet checked against the store.
///
/// Source: Firebase `Create custom email action handlers`; the names are those that SDK parsers
/// read.
public struct ActionLink: Sendable, Hashable {
    public let action: Action
    public let code: OobCode
    public let apiKey: String
    /// The continue URL in the link. It is never followed if a stored one exists. It is kept for
    /// pages that show the whole link again, and for upstreams, which do not report theirs.
    public let continueURL: String?
    /// The language as a BCP 47 tag.
    public let language: String?
    /// The tenant of Google's Identity Platform, for upstreams that have tenants.
    public let tenant: String?
    /// The network that asks for the link's page; nil if it does not matter.
    public var network: String?
    /// Whether an admin sends the link to invite a person: it then has `invitation=1`, for pages of
    /// the app's own. A link that is read does not tell, because anyone could have written it.
    var isInvitation = false

    /// The reason why a link cannot be read. Users see the same page for each: the link is
    /// incomplete.
    public enum Damage: Error, Sendable, Hashable { case missing(String), repeated(String), unknownMode, notACode }

    public init(action: Action, code: OobCode, apiKey: String, continueURL: String? = nil, language: String? = nil, tenant: String? = nil) {
        self.action = action
        self.code = code
        self.apiKey = apiKey
        self.continueURL = continueURL
        self.language = language
        self.tenant = tenant
    }

    /// Reads a query. Unknown parameters are ignored; a known one with two values is refused,
    /// except the language, which Firebase's links may contain twice. `mode` is case-insensitive,
    /// as in production.
    /// - Parameter defaultKey: returns the API key of links that contain none.
    public init(_ query: MailedQuery, defaultKey: () -> String? = { nil }) throws(Damage) {
        var (mode, code, apiKey, continueURL): (String?, String?, String?, String?)
        var (language, tenant): (String?, String?)
        for (name, value) in query.items {
            switch ActionParameter(rawValue: name) {
            case .mode: try Self.keep(value, in: &mode, named: name)
            case .oobCode: try Self.keep(value, in: &code, named: name)
            case .apiKey: try Self.keep(value, in: &apiKey, named: name)
            case .continueUrl: try Self.keep(value, in: &continueURL, named: name)
            case .tenantId: try Self.keep(value, in: &tenant, named: name)
            case .lang: language = language ?? value
            case nil: break
            }
        }
        guard let mode, !mode.isEmpty else { throw .missing("mode") }
        guard let action = Action(anyCase: mode) else { throw .unknownMode }
        guard let code, !code.isEmpty else { throw .missing("oobCode") }
        guard let code = OobCode(ofAnyAuthority: code) else { throw .notACode }
        guard let apiKey = apiKey ?? defaultKey(), !apiKey.isEmpty else { throw .missing("apiKey") }
        self.init(
            action: action, code: code, apiKey: apiKey, continueURL: continueURL, language: language,
            tenant: tenant.flatMap { $0.wholeMatch(of: /[A-Za-z0-9_\-]{1,128}/) == nil ? nil : $0 })
    }

    /// The link without its tenant, for projects that have none.
    public var withoutTenant: ActionLink {
        ActionLink(action: action, code: code, apiKey: apiKey, continueURL: continueURL, language: language)
    }

    private static func keep(_ value: String, in field: inout String?, named name: String) throws(Damage) {
        guard field == nil else { throw .repeated(name) }
        field = value
    }

    /// The parameters in the order used in links. Apple's SDK splits the decoded query, uses the
    /// last value of a name, and loses the first parameter of a link inside an app link. So
    /// parameters follow the continue URL, because one inside of it must not override a real one,
    /// and only the language precedes it.
    public var query: [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        query.reserveCapacity(ActionParameter.allCases.count)
        if isInvitation { query.append(("invitation", "1")) }
        if let language { query.append(("lang", language)) }
        if let continueURL { query.append(("continueUrl", continueURL)) }
        if let tenant { query.append(("tenantId", tenant)) }
        query.append(("apiKey", apiKey))
        query.append(("mode", action.rawValue))
        query.append(("oobCode", code.text))
        return query
    }

    /// The full link, on the project's action page.
    public func url(on page: WebURL) -> WebURL { page.appending(query: query) }
}

extension Action {
    fileprivate init?(anyCase mode: String) {
        // Comparing Unicode texts that were made for it takes milliseconds (V4).
        guard mode.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if let exact = Self(rawValue: mode) {
            self = exact
            return
        }
        let mode = mode.lowercased()
        guard let action = Self.allCases.first(where: { $0.rawValue.lowercased() == mode }) else { return nil }
        self = action
    }
}
