import Accounts
import Store
import Testing
import World

/// I13: an admin's settings of a provider, over those of the configuration file.
@Suite struct `A provider that an admin set` {
    private static let file: IdentityProvider? = {
        var provider = IdentityProvider(
            id: "oidc.acme", clientIDs: ["web", "ios"], clientSecret: "file-secret", url: "https://login.acme.example")
        provider?.verifiesEmail = true
        return provider
    }()

    private func settings(_ change: (inout ProviderSettings) -> Void) -> ProviderSettings {
        var settings = ProviderSettings()
        change(&settings)
        return settings
    }

    @Test func `keeps what the file says about everything else`() throws {
        let settings = settings { ($0.clientID, $0.isEnabled, $0.issuer) = ("new", false, "https://login.acme.example/") }
        let provider = try #require(try settings.provider("oidc.acme", over: Self.file))
        #expect(provider.clientIDs == ["new", "ios"] && provider.url == "https://login.acme.example")
        #expect(!provider.isEnabled && provider.verifiesEmail == true && provider.clientSecret == .plain("file-secret"))
        #expect(try ProviderSettings().provider("oidc.acme", over: Self.file) == Self.file)
        #expect(try ProviderSettings.removed.provider("oidc.acme", over: Self.file) == nil)
    }

    /// An admin of one project must not learn the secret of the file by naming a server that it is
    /// sent to, nor vouch for addresses.
    @Test func `has neither the file's secret nor its trust for another server`() throws {
        var settings = settings { $0.issuer = "https://new.acme.example/" }
        let moved = try #require(try settings.provider("oidc.acme", over: Self.file))
        #expect(moved.url == "https://new.acme.example" && moved.clientSecret == nil && moved.verifiesEmail == nil)
        settings.usesCode = true
        let error = #expect(throws: ActionError.self) { try settings.provider("oidc.acme", over: Self.file) }
        #expect(error?.refusal == .missingOAuthClientSecret)
        let gitHub = IdentityProvider(id: "github.com", clientIDs: ["app"], clientSecret: "file-secret")
        settings.usesCode = nil
        let other = #expect(throws: ActionError.self) { try settings.provider("github.com", over: gitHub) }
        #expect(other?.refusal == .invalidConfig)
    }

    /// The name of a public issuer may lead to a private address, and its documents may name one.
    @Test func `is reached at public addresses only, unless its URL is the file's`() throws {
        let new = settings { ($0.clientID, $0.issuer) = ("new", "https://127.0.0.1.nip.io:8443") }
        #expect(try new.provider("oidc.new", over: nil)?.onlyPublic == true)
        #expect(try new.provider("oidc.acme", over: Self.file)?.onlyPublic == true)
        let same = settings { $0.issuer = "https://login.acme.example/" }
        #expect(try same.provider("oidc.acme", over: Self.file)?.onlyPublic == false)
    }

    /// The API that a token or a secret is sent to is the provider's own.
    @Test(arguments: ["google.com", "apple.com", "microsoft.com", "facebook.com", "github.com"])
    func `has an issuer only if its id begins with oidc`(_ id: String) {
        let set = settings { ($0.clientID, $0.issuer) = ("new", "https://login.acme.example") }
        #expect(refusal(of: set, id) == .invalidConfig)
    }

    /// An admin of one project must not be able to make the server send requests to its own
    /// network.
    @Test(arguments: [
        "http://login.acme.example", "http://localhost:9000", "https://localhost", "https://x.localhost", "https://127.0.0.1",
        "https://[::1]", "https://169.254.169.254", "https://login.acme.example/?a=b", "https://login.acme.example/#a", "login",
        "file:///etc",
    ])
    func `has an issuer on the public network`(_ issuer: String) {
        let set = settings { ($0.clientID, $0.issuer) = ("new", issuer) }
        #expect(refusal(of: set, "oidc.acme") == .invalidConfig)
    }

    @Test func `has what its kind needs`() {
        #expect(refusal(of: settings { $0.clientID = "new" }, "oidc.acme") == .missingIssuer)
        #expect(refusal(of: settings { $0.issuer = "https://login.acme.example" }, "oidc.acme") == .missingOAuthClientID)
        #expect(refusal(of: settings { $0.clientID = "new" }, "twitter.com") == .invalidConfigID)
        #expect(refusal(of: settings { $0.clientID = "new" }, "facebook.com") == .missingOAuthClientSecret)
        #expect(refusal(of: settings { ($0.clientID, $0.usesCode) = ("new", true) }, "google.com") == .missingOAuthClientSecret)
        #expect(refusal(of: settings { $0.clientID = "new app" }, "google.com") == .invalidOAuthClientID)
        #expect(refusal(of: settings { ($0.clientID, $0.otherClientIDs) = ("a", ["b"]) }, "github.com") == .invalidOAuthClientID)
        #expect(refusal(of: settings { $0.clientID = "new" }, "google.com") == nil)
    }

    private func refusal(of settings: ProviderSettings, _ id: String) -> Refusal? {
        do throws(ActionError) { _ = try settings.provider(id, over: nil) } catch { return error.refusal }
        return nil
    }

    /// B3: the database alone does not have the secret, and neither has a process with another one.
    @Test func `has a client secret that only the installation's secret opens`() async throws {
        let world = try await World()
        let secret = ClientSecret(sealing: "acme-secret", by: world.secrets)
        guard case .sealed(let sealed) = secret else { throw Missing() }
        let projects = world.current(Projects([world.project]))
        let project = try await projects.changeProvider("oidc.acme", of: world.project.id) { (settings, exists) throws(ActionError) in
            #expect(!exists)
            (settings.clientID, settings.issuer, settings.sealedSecret) = ("web", "https://login.acme.example", sealed)
        }
        #expect(project.providers["oidc.acme"]?.clientSecret?.text(by: world.secrets) == "acme-secret")
        #expect(secret.text(by: Secrets(root: [UInt8](repeating: 8, count: 32))) == nil)
        // Other processes read it from the store.
        let other = world.current(Projects([world.project]))
        #expect(try await other.refresh() == [])
        #expect(other.value[world.project.id]?.providers == project.providers)
        #expect(!String(describing: try await world.store.settings(changedAfter: 0)).contains("acme-secret"))
    }

    /// A setting that the file no longer allows must not widen what an admin made narrower.
    @Test func `is not offered if the file no longer has what it needs`() async throws {
        var with = try await World()
        with.project.providers["oidc.acme"] = Self.file
        let world = with
        let projects = world.current(Projects([world.project]))
        _ = try await projects.changeProvider("oidc.acme", of: world.project.id) { (settings, exists) throws(ActionError) in
            #expect(exists)
            settings.displayName = "Acme"
        }
        var without = world.project
        without.providers = [:]
        let later = world.current(Projects([without]))
        #expect(try await later.refresh().map(\.objection.field) == ["oauthIdpConfigs.oidc.acme"])
        #expect(later.value[without.id]?.providers == [:])
    }

    @Test func `is removed with the file's, and comes back only if it is added`() async throws {
        var with = try await World()
        with.project.providers["oidc.acme"] = Self.file
        let projects = with.current(Projects([with.project]))
        let id = with.project.id
        let removed = try await projects.changeProvider("oidc.acme", of: id) { (settings, _) throws(ActionError) in settings = .removed }
        #expect(removed.providers == [:])
        let added = try await projects.changeProvider("oidc.acme", of: id) { (settings, exists) throws(ActionError) in
            #expect(!exists)
            settings = ProviderSettings()
            (settings.clientID, settings.otherClientIDs) = ("new", [])
        }
        #expect(added.providers["oidc.acme"]?.clientIDs == ["new"])
    }

    @Test func `is one of a hundred at most`() async throws {
        let world = try await World()
        let projects = world.current(Projects([world.project]))
        func add(_ number: Int) async throws {
            _ = try await projects.changeProvider("oidc.p\(number)", of: world.project.id) { (settings, _) throws(ActionError) in
                (settings.clientID, settings.issuer) = ("web", "https://p\(number).example")
            }
        }
        for number in 0..<100 { try await add(number) }
        await expectRefused(.invalidConfig) { try await add(100) }
    }
}
