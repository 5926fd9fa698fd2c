internal import Base

/// The settings of one identity provider that admins changed. A field that is nil keeps the
/// configuration file's value.
public struct ProviderSettings: Sendable, Hashable, Codable {
    public var clientID: String?
    /// The ids of further apps for which credentials may be made.
    public var otherClientIDs: [String]?
    /// A sealed `ClientSecret`.
    public var sealedSecret: [UInt8]?
    public var issuer: String?
    public var usesCode: Bool?
    public var isEnabled: Bool?
    public var displayName: String?
    /// Whether the project does not have the provider, although the configuration file may.
    public var isRemoved: Bool?

    public init() {}

    /// The settings of a provider that an admin removed.
    public static var removed: ProviderSettings {
        var settings = ProviderSettings()
        settings.isRemoved = true
        return settings
    }

    /// The provider with these settings; nil if it is removed.
    ///
    /// Refuses `INVALID_CONFIG_ID`, `MISSING_OAUTH_CLIENT_ID`, `INVALID_OAUTH_CLIENT_ID`,
    /// `MISSING_ISSUER`, `INVALID_CONFIG` and `MISSING_OAUTH_CLIENT_SECRET`.
    /// - Parameter file: the provider in the configuration file.
    public func provider(_ id: String, over file: IdentityProvider?) throws(ActionError) -> IdentityProvider? {
        guard isRemoved != true else { return nil }
        guard let kind = IdentityProvider.Kind(id: id) else {
            throw .refused(
                .invalidConfigID, detail: "expected google.com, apple.com, microsoft.com, facebook.com, github.com, or oidc. with a name")
        }
        let clientIDs = try clientIDs(of: kind, over: file?.clientIDs ?? [])
        guard issuer == nil || kind == .openID else { throw .refused(.invalidConfig, detail: "only oidc. providers have an issuer") }
        let url = try issuer.map(Self.checkedIssuer)
        guard var provider = file ?? IdentityProvider(id: id, clientIDs: clientIDs, url: url) else { throw .refused(.missingIssuer) }
        provider.clientIDs = clientIDs
        if let url, url != file?.url {
            // The file's secret and certificates are for the file's server, and so is its trust in
            // addresses.
            (provider.url, provider.caFile, provider.clientSecret, provider.verifiesEmail) = (url, nil, nil, nil)
            provider.onlyPublic = true
        }
        provider.clientSecret = sealedSecret.map { .sealed($0) } ?? provider.clientSecret
        provider.usesCode = usesCode ?? provider.usesCode
        provider.isEnabled = isEnabled ?? provider.isEnabled
        provider.displayName = displayName ?? provider.displayName
        guard provider.clientSecret != nil || !kind.needsSecret && provider.usesCode != true else {
            throw .refused(.missingOAuthClientSecret, detail: "\(id) needs a clientSecret")
        }
        return provider
    }

    private func clientIDs(of kind: IdentityProvider.Kind, over file: [String]) throws(ActionError) -> [String] {
        let ids = [clientID ?? file.first].compactMap(\.self) + (otherClientIDs ?? Array(file.dropFirst()))
        guard !ids.isEmpty else { throw .refused(.missingOAuthClientID) }
        let isUsable = ids.allSatisfy { id in
            (1...256).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
        }
        guard isUsable, ids.count <= Self.maxClientIDs, ids.count == 1 || !kind.needsSecret else {
            throw .refused(.invalidOAuthClientID, detail: "expected up to 256 characters of ASCII, without spaces and quotes")
        }
        return ids
    }

    private static let maxClientIDs = 20

    /// The URL without a slash at its end. Only the configuration file may name a machine of the
    /// operator's own: an admin of one project must not make this server send requests to it. This
    /// check gives admins a reason at once; `IdentityProvider.onlyPublic` holds for every address
    /// that the name has later, and for the URLs in the provider's documents.
    private static func checkedIssuer(_ text: String) throws(ActionError) -> String {
        guard let url = try? WebURL(text), url.scheme == "https", url.query == nil, url.fragment == nil, case .domain(let host)? = url.host,
            host != "localhost", !host.hasSuffix(".localhost")
        else { throw .refused(.invalidConfig, detail: "issuer must be an https URL with the name of a host, without ? and #") }
        let serialized = url.serialized
        return serialized.hasSuffix("/") ? String(serialized.dropLast()) : serialized
    }
}

extension ProjectSettings {
    /// The most providers that admins may set in a project.
    static let maxProviders = 100
}

extension CurrentProjects {
    /// Stores an admin's change of one identity provider and applies it; the next request sees it.
    ///
    /// Refuses what `change` and `ProviderSettings.provider` refuse, and `INVALID_CONFIG` for too
    /// many providers.
    /// - Parameters:
    ///   - id: Firebase's id of the provider.
    ///   - change: gets the current settings and whether the project has the provider.
    public func changeProvider(
        _ id: String, of project: ProjectID,
        by change: @escaping @Sendable (_ settings: inout ProviderSettings, _ exists: Bool) throws(ActionError) -> Void
    ) async throws(ActionError) -> Project {
        let file = value.configured(project)?.providers[id]
        return try await self.change(project) { settings throws(ActionError) in
            let before = settings[provider: id]
            var after = before ?? ProviderSettings()
            try change(&after, before.map { $0.isRemoved != true } ?? (file != nil))
            _ = try after.provider(id, over: file)
            // Nothing has to hide a provider that the file does not have.
            settings[provider: id] = after.isRemoved == true && file == nil ? nil : after
            guard settings.providers.count <= ProjectSettings.maxProviders else {
                throw .refused(.invalidConfig, detail: "a project may have \(ProjectSettings.maxProviders) providers by the API")
            }
        }
    }
}
