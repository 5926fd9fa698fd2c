import Accounts
import Base
import Testing

/// I12: the text that a provider hands back with a user.
@Suite struct `The state of a visit to a provider` {
    private let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let start = Timestamp(seconds: 1_800_000_000)
    private let visit = ProviderVisit(
        provider: "google.com", continueURI: "https://app.example/__/auth/handler", rawNonce: "nonce", codeVerifier: "verifier")

    private var state: String {
        SealedVisit(visit, in: ProjectID(rawValue: "shop"), at: start).state(for: VisitSession(id: "session-1"), by: secrets)
    }

    private func opened(
        _ state: String, for session: String = "session-1", in project: String = "shop", after span: Duration = .zero
    ) -> ProviderVisit? {
        SealedVisit(state: state, for: session, in: ProjectID(rawValue: project), at: start + span, by: secrets)?.visit
    }

    @Test func `the state of a visit is opened in its project and session only, for a quarter of an hour`() {
        #expect(opened(state) == visit)
        #expect(opened(state, after: .milliseconds(899_999)) == visit)
        #expect(opened(state, after: .seconds(900)) == nil)
        #expect(opened(state, in: "blog") == nil)
        #expect(opened(state, for: "session-2") == nil)
    }

    @Test func `the session of a visit is also named by its SHA-256 in lower case, and by nothing else`() throws {
        let hash = "84097828fc31a8c8d29210df48901a85de7fd013f686b17be77d1be29cb7a98b"
        let session = try #require(VisitSession(digest: hash))
        #expect(opened(SealedVisit(visit, in: ProjectID(rawValue: "shop"), at: start).state(for: session, by: secrets)) == visit)
        for other in ["", String(hash.dropLast()), hash + "0", hash.uppercased(), hash.dropLast() + "g", hash.dropLast() + "/"] {
            #expect(VisitSession(digest: other) == nil, "\(other)")
        }
    }

    /// `/onward.js` leaves the states of other libraries alone.
    @Test func `the state of a visit has the mark of this server`() {
        #expect(opened("another\(state.dropFirst(SealedVisit.mark.count))") == nil)
    }
}
