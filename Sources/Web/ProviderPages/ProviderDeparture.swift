internal import Accounts
internal import Base

/// The way to the sign-in page of a provider; in development to the page that plays a provider that
/// is not configured.
struct ProviderDeparture: Sendable {
    let isDevelopment: Bool
    let origin: WebURL
    let accounts: Accounts
    let credentials: any CredentialVerifier

    /// A visit that ends at this server's own page, which leads on to a place of the app.
    func visit(to provider: String, of project: Project, returnsTo place: VisitReturn) -> ProviderVisit {
        ProviderVisit(
            provider: provider, continueURI: ProviderHandler.address(for: provider, of: project.id, at: origin), returnsTo: place,
            random: accounts.random)
    }

    /// The URL of the provider's page.
    ///
    /// Refuses `OPERATION_NOT_ALLOWED`, and `INVALID_CREDENTIAL_OR_PROVIDER_ID` in development.
    /// - Parameters:
    ///   - session: nil if any client may end the visit.
    ///   - change: adds the app's own parameters.
    func address(
        of visit: ProviderVisit, begunIn session: VisitSession?, by client: Client, in project: Project,
        _ change: (inout ProviderPageRequest) throws(ActionError) -> Void
    ) async throws(ActionError) -> String {
        let state = SealedVisit(visit, in: project.id, at: accounts.now()).state(for: session, by: accounts.secrets)
        var request = ProviderPageRequest(visit, state: state)
        try change(&request)
        let settings = project.providers[visit.provider]
        let wanted = request
        return try await accounts.counted(by: [.probe], from: client, in: project) { () throws(ActionError) in
            guard isDevelopment, settings == nil else { return try await credentials.page(wanted, at: settings, in: project.id) }
            try Call.requireTokens(of: visit.provider)
            return StandInProvider.address(of: wanted, at: origin)
        }
    }
}

extension ProviderPageRequest {
    /// The most parameters that an app adds to a provider's page.
    private static let maxParameters = 16
    /// The maximum length of the scopes that an app asks for.
    static let longestScopes = 2048

    /// Adds the parameters of the app's own, an object of texts. Refuses too many.
    mutating func add(_ own: JSON?) throws(ActionError) {
        guard case .object(let members)? = own else { return }
        guard members.count <= Self.maxParameters else {
            throw .refused(.invalidArgument, detail: "/customParameter has at most \(Self.maxParameters) members")
        }
        parameters += members.compactMap { member in
            member.value.string.flatMap { $0.utf8.count <= 2048 && member.name.utf8.count <= 128 ? (member.name, $0) : nil }
        }
    }
}
