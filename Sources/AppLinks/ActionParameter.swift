/// A parameter of an action link. The raw value is its name, which the parsers of SDKs read.
public enum ActionParameter: String, Sendable, CaseIterable {
    case mode, oobCode, apiKey, continueUrl, lang, tenantId

    /// The lengths of Onward's codes and of Firebase's.
    public static let codeLengths: (own: Int, firebase: Int) = (43, 54)

    fileprivate var kind: MailedQuery.Kind {
        switch self {
        case .oobCode: .token(lengths: [Self.codeLengths.own, Self.codeLengths.firebase])
        case .mode, .apiKey, .lang, .tenantId: .token()
        case .continueUrl: .url
        }
    }
}

extension AppLink.Parameter {
    /// Words are kept as they are, because a preview or a campaign may end in any sign.
    fileprivate var kind: MailedQuery.Kind {
        switch self {
        case .link, .afl, .ifl, .ipfl, .ofl, .si: .url
        case .apn, .ibi, .ipbi, .ius, .imv: .identifier
        case .amv, .isi, .efr, .d: .token()
        case .st, .sd, .utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent, .gclid, .at, .ct, .mt, .pt: .words
        }
    }
}

extension MailedQuery {
    public init(ofActionLink sent: [(name: String, value: String)]) {
        self.init(sent) { ActionParameter(rawValue: $0)?.kind }
    }

    /// - Parameter sent: may hold the parameters of the link inside, if it was decoded once.
    public init(ofAppLink sent: [(name: String, value: String)]) {
        self.init(sent) { AppLink.Parameter(rawValue: $0)?.kind ?? ActionParameter(rawValue: $0)?.kind }
    }

    /// The parameters of an action link that lie beside the link that they belong to.
    var actionLink: [(name: String, value: String)] { items.filter { ActionParameter(rawValue: $0.name) != nil } }
}
