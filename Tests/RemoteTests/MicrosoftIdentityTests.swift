import Accounts
import Testing
import World
@testable import Remote

/// A user of Microsoft is the object in the directory: `sub` is another in each app.
@Suite struct `An ID token of Microsoft` {
    private static let directory = "11111111-2222-3333-4444-555555555555"
    private static let object = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"

    private let provider: TestProvider
    private let settings: IdentityProvider

    init() throws {
        let provider = try TestProvider()
        provider.setIssuer("\(provider.url)/{tenantid}/v2.0")
        settings = provider.settings("microsoft.com") { $0.url = provider.url + "/common/v2.0" }
        self.provider = provider
    }

    private func token(_ changes: [String: String] = [:], directory: String = directory, object: String = object) throws -> String {
        let own = ["iss": "\"\(provider.url)/\(directory)/v2.0\"", "tid": "\"\(directory)\"", "oid": "\"\(object)\""]
        return try provider.token(own.merging(changes) { $1 })
    }

    /// I17: a user of Microsoft is the object in its directory, the same in each app.
    @Test func `names the same person in each app`() async throws {
        let verifier = provider.verifier()
        let web = try await verifier.verify(idToken: token(["sub": #""pairwise-web""#]), settings)
        let iOS = try await verifier.verify(idToken: token(["sub": #""pairwise-ios""#, "aud": #""shop-ios""#]), settings)
        #expect(web.rawID == iOS.rawID && web.rawID == "\(Self.object)@\(Self.directory)")
        #expect(web.link.wireID == Self.object && web.audience == "shop-web" && iOS.audience == "shop-ios")
        // By these an earlier version or an import may know her.
        #expect(web.formerIDs == ["pairwise-web", Self.object])
    }

    /// I17: a GUID of one directory may be that of another person in another.
    @Test func `names another person in another directory`() async throws {
        let verifier = provider.verifier()
        let own = try await verifier.verify(idToken: token(), settings)
        let other = try await verifier.verify(idToken: token(directory: "66666666-2222-3333-4444-555555555555"), settings)
        #expect(own.rawID != other.rawID)
    }

    @Test func `of a personal account has sixteen digits on the wire, as with Firebase`() async throws {
        let token = try token(directory: MicrosoftUser.personalAccounts, object: "00000000-0000-0000-48D3-1887FA0E0AB2")
        let identity = try await provider.verifier().verify(idToken: token, settings)
        #expect(identity.link.wireID == "48d31887fa0e0ab2")
        #expect(LinkedProvider.rawID(ofWireID: "48D31887fa0e0ab2", at: "microsoft.com") == identity.rawID)
    }

    /// I17: Microsoft sends both for the scope `profile` only.
    @Test(arguments: ["oid", "tid"]) func `without the scope for its user is refused, and says so`(_ claim: String) async throws {
        let token = try token([claim: "null"])
        let error = await failure { () async throws(ActionError) in try await provider.verifier().verify(idToken: token, settings) }
        guard case .refused(.invalidIDPResponse, let detail?) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(detail.contains("scope profile") && provider.log.take() == [.noObject])
    }

    @Test(arguments: ["1", #""user-1""#, #""aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee@x""#, #""aaaaaaaabbbbccccddddeeeeeeeeeeee""#])
    func `with an object that is no GUID is refused`(_ object: String) async throws {
        let token = try token(["oid": object])
        _ = await failure { () async throws(ActionError) in try await provider.verifier().verify(idToken: token, settings) }
        #expect(provider.log.take() == [.malformedClaims])
    }

    /// I6, I17: as Firebase's emulator takes it, and else as in production.
    @Test func `that is unsigned goes by sub only without the other claims`() async throws {
        let verifier = provider.verifier(acceptsUnsigned: true)
        let bare = try await verifier.verify(idToken: #"{"sub":"u"}"#, settings)
        #expect(bare.rawID == "u" && bare.link.wireID == "u")
        let whole = #"{"sub":"u","oid":"\#(Self.object)","tid":"\#(Self.directory)","aud":"shop-web"}"#
        let identity = try await verifier.verify(idToken: whole, settings)
        #expect(identity.rawID == "\(Self.object)@\(Self.directory)" && identity.audience == "shop-web")
        let broken = await failure { () async throws(ActionError) in
            try await verifier.verify(idToken: #"{"sub":"u","oid":"o","tid":"t"}"#, settings)
        }
        #expect(broken?.refusal == .invalidIDPResponse)
    }

    /// The pending token carries what tells the person.
    @Test func `keeps its person in a pending token`() async throws {
        let identity = try await provider.verifier().verify(idToken: token(), settings)
        let (project, now) = (ProjectID(rawValue: "shop"), provider.clock.now())
        let text = PendingToken(identity).text(in: project, at: now, by: TestProvider.secrets)
        #expect(try PendingToken(text, in: project, at: now, by: TestProvider.secrets).identity == identity)
    }

    @Test(arguments: [
        "", "user-1", "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "48d31887fa0e0ab", "48d31887fa0e0abg", "48d31887fa0e0ab2@x",
        "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeeg",
    ])
    func `is not by a text that Microsoft Graph has for no user`(_ wireID: String) {
        #expect(MicrosoftUser(wireID: wireID) == nil)
        #expect(LinkedProvider(provider: "microsoft.com", rawID: wireID).wireID == wireID)
    }
}
