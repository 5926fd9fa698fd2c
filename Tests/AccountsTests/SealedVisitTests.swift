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

    @Test func `the state of a visit is also for a session that is named by its hash, and by nothing else`() throws {
        let hash = "b4d77df22b1a4ca0ab16d5dbc7d7c92e9fb7c3a4d96bd6d7ee4ae4bb7b0b2f6d"
        #expect(VisitSession(digest: hash) != nil)
        for other in ["", String(hash.dropLast()), hash + "0", hash.uppercased(), hash.dropLast() + "g", hash.dropLast() + "/"] {
            #expect(VisitSession(digest: other) == nil, "\(other)")
        }
    }

    /// `/onward.js` leaves the states of other libraries alone.
    @Test func `the state of a visit has the mark of this server`() {
        #expect(opened("another\(state.dropFirst(SealedVisit.mark.count))") == nil)
    }
}
