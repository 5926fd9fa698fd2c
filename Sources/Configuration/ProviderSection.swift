import Accounts
import Base

/// An identity provider of a project.
struct ProviderSection: Section {
    var id: String?
    var clientIDs: [String]?
    var clientSecret, url, caFile: String?
    var tenants: Set<String> = []
    var verifiesEmail: Bool?

    static var keys: [ConfigurationKey<Self>] {
        let ids = "google.com, apple.com, microsoft.com, facebook.com, github.com, or oidc. with a name"
        "\(ids)."
        ConfigurationKey("id", \.id, .text(ids) { IdentityProvider.Kind(id: $0) != nil }).required(
            "google.com, oidc.acme or another provider")
        "The ids of your apps at the provider (iOS, Android and web have one each), one for facebook.com and github.com. Credentials that"
        "were made for other apps are refused."
        ConfigurationKey("clientIDs", \.clientIDs, .list(.text(#/[!#-\[\]-~]{1,256}/#, "a client id, without spaces"))).required(
            "a list of one or more")
        "{env: NAME} or {file: PATH}, needed for facebook.com and github.com. With one, a sign-in by the page of a provider"
        "(createAuthUri) is by a code; Apple's is a signed JWT."
        ConfigurationKey("clientSecret", \.clientSecret, .secret())
        "The issuer of ID tokens, for oidc.*; for the others the API, such as https://github.example.com/api/v3. https; plain http only"
        "for localhost."
        ConfigurationKey("url", \.url, ValueForm.webURL.map { try $0.withoutQuery().serialized.trimmingSuffix("/") })
        "A PEM file with the only certificates to trust at url. Default: the system's."
        ConfigurationKey("caFile", \.caFile, .readableFile)
        "The directories of microsoft.com whose users may sign in; empty for all."
        ConfigurationKey(
            "tenants", \.tenants, .set(.text(#/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#, "the id of a directory, in lower case")))
        "Whether an address that the provider reports as verified is one that its user owns: then the user gets the account with that"
        "address. Default: only addresses for which Google, Apple or Microsoft is the authority."
        ConfigurationKey("verifiesEmail", \.verifiesEmail, .boolean)
    }

    func value(in setting: Setting) -> IdentityProvider? {
        let kind = id.flatMap(IdentityProvider.Kind.init)
        if let ids = setting["clientIDs"], let clientIDs {
            if clientIDs.count > 1, kind?.needsSecret == true { ids.note("expected one, whose secret is clientSecret") }
            if ids.items.isEmpty { ids.note("expected a list of one or more") }
        }
        if let kind {
            if kind != .microsoft { setting["tenants"]?.note("only microsoft.com has tenants") }
            if kind == .facebook, verifiesEmail == true {
                setting["verifiesEmail"]?.note("Facebook does not say which addresses it has verified")
            }
        }
        guard let id, let kind, let clientIDs else { return nil }
        if kind.needsSecret, !setting.has("clientSecret") {
            setting.note("\(id) needs clientSecret, to find out for which app a token was made")
        }
        if kind == .openID, !setting.has("url") { setting.note("\(id) needs url, the issuer of its ID tokens") }
        var provider = IdentityProvider(id: id, clientIDs: clientIDs, clientSecret: clientSecret, url: url)
        provider?.caFile = caFile
        provider?.tenants = tenants
        provider?.verifiesEmail = verifiesEmail
        return provider
    }
}

extension ValueForm<[String: IdentityProvider]> {
    /// The identity providers of a project, by their ids.
    static var providers: ValueForm {
        ValueForm<[IdentityProvider]>.list(.section(ProviderSection.self)).map { providers, list in
            var ids: Set<String> = []
            for item in list.items {
                guard let id = item["id"]?.word, !ids.insert(id).inserted else { continue }
                item.note("the provider \(id) is listed twice")
            }
            return Dictionary(providers.map { ($0.id, $0) }) { first, _ in first }
        }
    }
}
