import Base
import Foundation
import Testing
import World
@testable import Accounts

/// The kinds of tokens that clients send.
enum TokenKind: String, CaseIterable, Sendable { case idToken, customToken }

/// A server that verifies tokens of one kind, and a token that it accepts.
struct TokenTarget: Sendable {
    let kind: TokenKind
    let world: World
    let accounts: Accounts
    /// The owner of the key that the server trusts.
    let signer: Signer
    /// Header and payload of an accepted token.
    let header: String
    let payload: [String: Claim]

    init(_ kind: TokenKind) async throws {
        self.kind = kind
        world = try await World()
        accounts = try await world.signedAccounts()
        let account = try await world.account("ada@app.example")
        switch kind {
        case .idToken:
            let token = try await accounts.openSession(for: account, by: .password).idToken
            signer = try await world.insider()
            let compact = try #require(CompactToken(token))
            header = #"{"alg":"RS256","kid":"\#(compact.header.kid ?? "")","typ":"JWT"}"#
            payload = try #require(compact.decoded())
        case .customToken:
            signer = .backEnd
            header = #"{"alg":"RS256","typ":"JWT"}"#
            let now = world.clock.now().seconds
            payload = [
                "iss": .string(Signer.email), "sub": .string(Signer.email), "aud": .string(CustomToken.audience), "iat": .int(now),
                "exp": .int(now + 3600), "uid": .string("ada"), "claims": .object(["role": .string("admin")]),
            ]
        }
    }

    /// The payload with some claims replaced, or removed by nil.
    func json(_ change: [String: Claim?] = [:]) throws -> String {
        try Claim.text(payload.merging(change.mapValues { $0 ?? .null }) { $1 }.filter { $0.value != .null })
    }

    /// Whether the server accepts a token. Throws for anything but a refusal.
    func accepts(_ token: String) async throws -> Bool {
        do throws(ActionError) {
            switch kind {
            case .idToken: _ = try await accounts.account(behind: token, in: world.project.id)
            case .customToken:
                let backEnd: ServiceAccount
                do { backEnd = try Signer.backEnd.account() } catch { return false }
                _ = try CustomToken(signed: token, by: [backEnd], at: world.clock.now())
            }
            return true
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }
}

extension Claim {
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
