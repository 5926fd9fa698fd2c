import Accounts
import Base
import Foundation
import Yams

extension Setting {
    /// The identity providers of a project, by their ids.
    /// - Parameter environment: nil if secrets are not looked up.
    func providers(_ environment: Configuration.Environment?) throws(SettingError) -> [String: IdentityProvider] {
        var ids: Set<String> = []
        let providers = try list { item throws(SettingError) in
            let provider = try item.section { section in section.provider(environment) }
            guard let provider else { return IdentityProvider?.none }
            guard ids.insert(provider.id).inserted else { throw SettingError("the provider \(provider.id) is listed twice") }
            return provider
        }
        return Dictionary(providers.compactMap(\.self).map { ($0.id, $0) }) { first, _ in first }
    }

    /// The URL of a provider, without a slash at its end.
    fileprivate func providerURL() throws(SettingError) -> String {
        let url = try webURL()
        guard url.query == nil, url.fragment == nil else { throw SettingError("expected a URL without ? and #") }
        return url.serialized.trimmingSuffix("/")
    }
}

extension Section {
    fileprivate func provider(_ environment: Configuration.Environment?) -> IdentityProvider? {
        let id = required("id", expecting: "google.com, oidc.acme or another provider") { value throws(SettingError) in
            let id = try value.text()
            guard IdentityProvider.Kind(id: id) != nil else {
                throw SettingError("expected google.com, apple.com, microsoft.com, facebook.com, github.com, or oidc. with a name")
            }
            return id
        }
        let kind = id.flatMap(IdentityProvider.Kind.init)
        let clientIDs = required("clientIDs", expecting: "a list of one or more") { value throws(SettingError) in
            let ids = try value.list { item throws(SettingError) in
                try item.text(matching: #/[!#-\[\]-~]{1,256}/#, "a client id, without spaces")
            }
            guard !ids.isEmpty, ids.count == 1 || kind?.needsSecret != true else {
                throw SettingError(
                    kind?.needsSecret == true ? "expected one, whose secret is clientSecret" : "expected a list of one or more")
            }
            return ids
        }
        let secret = value("clientSecret") { value throws(SettingError) in try value.secret(environment) }
        let url = value("url") { value throws(SettingError) in try value.providerURL() }
        let caFile = value("caFile") { value throws(SettingError) in
            let path = try value.text()
            guard FileManager.default.isReadableFile(atPath: path) else { throw SettingError("the file \(path) cannot be read") }
            return path
        }
        let tenants = value("tenants") { value throws(SettingError) in
            let tenants = try value.list { item throws(SettingError) in
                try item.text(matching: #/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#, "the id of a directory, in lower case")
            }
            guard kind == .microsoft else { throw SettingError("only microsoft.com has tenants") }
            return tenants
        }
        let verifiesEmail = value("verifiesEmail") { value throws(SettingError) in
            let verifies = try value.flag()
            guard !verifies || kind != .facebook else { throw SettingError("Facebook does not say which addresses it has verified") }
            return verifies
        }
        guard let id, let kind, let clientIDs else { return nil }
        if kind.needsSecret, secret == nil { note("\(id) needs clientSecret, to find out for which app a token was made") }
        if kind == .openID, url == nil { note("\(id) needs url, the issuer of its ID tokens") }
        var provider = IdentityProvider(id: id, clientIDs: clientIDs, clientSecret: secret ?? nil, url: url)
        provider?.caFile = caFile
        provider?.tenants = Set(tenants ?? [])
        provider?.verifiesEmail = verifiesEmail
        return provider
    }
}
