internal import Accounts
internal import Base

extension ProviderCollection {
    var create: APIMethod {
        APIMethod(
            "create\(noun)", requiresAdmin: true,
            documentation: MethodDocumentation(
                summary: "Adds an identity provider, at once.", fields: properties,
                parameters: [.always(idParameter, .text, "The id of the provider, such as oidc.acme or google.com.")],
                response: properties,
                refusals: [
                    .missingConfigID, .invalidConfigID, .configurationExists, .missingOAuthClientID, .invalidOAuthClientID, .missingIssuer,
                    .missingOAuthClientSecret, .invalidConfig, .operationNotAllowed,
                ]),
            run: { (call) throws(ActionError) in
                let id = try call.providerID(in: self)
                return try await call.changeProvider(id, in: self) { (settings, exists) throws(ActionError) in
                    guard !exists else { throw .refused(.configurationExists) }
                    settings = ProviderSettings()
                    (settings.isEnabled, settings.otherClientIDs) = (false, [])
                    try settings.apply(call.body, mask: nil, secrets: call.accounts.secrets)
                    guard settings.clientID != nil else { throw .refused(.missingOAuthClientID) }
                }
            })
    }

    var get: APIMethod {
        APIMethod(
            "get\(noun)", source: .query, requiresAdmin: true, permissions: [.read],
            documentation: MethodDocumentation(
                summary: "The configuration of an identity provider.", response: properties,
                refusals: [.invalidConfigID, .configurationNotFound]),
            run: { (call) throws(ActionError) in
                guard let provider = call.project.providers[try call.providerID(in: self)] else { throw .refused(.configurationNotFound) }
                return call.json(of: provider, in: self)
            })
    }

    var list: APIMethod {
        APIMethod(
            "list\(noun)s", source: .query, requiresAdmin: true, permissions: [.read],
            documentation: MethodDocumentation(
                summary: "The identity providers by their ids, also those of the configuration file.",
                fields: [
                    Property("pageSize", .int64, "1 to 100; 20 if absent."), Property("pageToken", .text, "The end of the page before."),
                ],
                response: [Property(rawValue, .list(.object(properties))), Property("nextPageToken", .text)]),
            run: { (call) throws(ActionError) in try call.listProviders(in: self) })
    }

    var update: APIMethod {
        APIMethod(
            "update\(noun)", requiresAdmin: true,
            documentation: MethodDocumentation(
                summary: "Changes an identity provider, at once.", fields: properties,
                parameters: [
                    Property("updateMask", .text, "Comma-separated names: only these are set, or reset if the body does not have them.")
                ],
                response: properties,
                refusals: [
                    .invalidConfigID, .configurationNotFound, .invalidOAuthClientID, .missingOAuthClientSecret, .invalidConfig,
                    .operationNotAllowed,
                ]),
            run: { (call) throws(ActionError) in
                let id = try call.providerID(in: self)
                return try await call.changeProvider(id, in: self) { (settings, exists) throws(ActionError) in
                    guard exists else { throw .refused(.configurationNotFound) }
                    try settings.apply(call.body, mask: call.mask, secrets: call.accounts.secrets)
                }
            })
    }

    var delete: APIMethod {
        APIMethod(
            "delete\(noun)", source: .query, requiresAdmin: true,
            documentation: MethodDocumentation(
                summary: "Removes an identity provider, at once. Accounts stay linked to it.", response: [],
                refusals: [.invalidConfigID, .configurationNotFound]),
            run: { (call) throws(ActionError) in
                let id = try call.providerID(in: self)
                _ = try await call.changeProvider(id, in: self) { (settings, exists) throws(ActionError) in
                    guard exists else { throw .refused(.configurationNotFound) }
                    settings = .removed
                }
                return .object([])
            })
    }
}

extension Call {
    /// The provider that the path or the query names. Refuses `MISSING_CONFIG_ID` and
    /// `INVALID_CONFIG_ID`.
    func providerID(in collection: ProviderCollection) throws(ActionError) -> String {
        guard let id = resource, !id.isEmpty else { throw .refused(.missingConfigID) }
        guard collection.contains(id) else {
            throw .refused(
                .invalidConfigID,
                detail: collection == .oauthIdpConfigs
                    ? "expected oidc. and a name of letters, digits, - and _"
                    : "expected google.com, apple.com, microsoft.com, facebook.com or github.com")
        }
        return id
    }

    /// Stores a change of a provider. Returns the provider as it is then; an empty object if it is
    /// gone.
    func changeProvider(
        _ id: String, in collection: ProviderCollection,
        by change: @escaping @Sendable (inout ProviderSettings, _ exists: Bool) throws(ActionError) -> Void
    ) async throws(ActionError) -> JSON {
        let changed = try await toolkit.projects.changeProvider(id, of: project.id, by: change)
        return changed.providers[id].map { json(of: $0, in: collection) } ?? .object([])
    }

    func listProviders(in collection: ProviderCollection) throws(ActionError) -> JSON {
        let size = try body.integer("pageSize") ?? 20
        guard (1...100).contains(size) else { throw .refused(.invalidArgument, detail: "/pageSize must be from 1 to 100") }
        let start = try body.text("pageToken") ?? ""
        let rest = project.providers.values.filter { collection.contains($0.id) && $0.id > start }.sorted { $0.id < $1.id }
        let page = rest.prefix(Int(size))
        return .object([
            collection.rawValue: .array(page.map { json(of: $0, in: collection) }),
            "nextPageToken": rest.count > page.count ? .string(ifAny: page.last?.id) : nil,
        ])
    }

    /// A provider with the secret that an admin set, for an admin who could replace it.
    fileprivate func json(of provider: IdentityProvider, in collection: ProviderCollection) -> JSON {
        provider.json(in: collection, of: project.id, secrets: caller.admin?.scope.permits(.write) == true ? accounts.secrets : nil)
    }
}
