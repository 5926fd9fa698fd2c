import Accounts
import Base
import Foundation
import Logging
import Network
import World
@testable import Remote

/// An upstream that responds as a test requires.
typealias FakeUpstream = LoopbackServer

extension FakeUpstream {
    static let caller = UpstreamCaller(apiKey: "web-key-1", language: "pt-BR", page: try! WebURL("https://auth.example/__/auth/action"))
    static let code = OobCode(ofAnyAuthority: "Firebase_codes-have-54-letters-of-base64url-like-these")!

    /// A client with long time limits, unless a test changes them.
    func client(clock: TestClock = TestClock(), _ change: (inout TransferLimits) -> Void = { _ in }) -> IdentityToolkitClient {
        var limits = TransferLimits()
        (limits.connect, limits.total, limits.maxIdle) = (.patience, .patience, .seconds(86_400))
        change(&limits)
        return IdentityToolkitClient(base: base, limits: limits, uptime: clock.uptime, logger: Logger(label: "test"))
    }
}

extension IdentityToolkitClient {
    func look() async throws(ActionError) -> UpstreamCode { try await look(at: FakeUpstream.code, for: FakeUpstream.caller) }

    func apply(newPassword: String? = nil) async throws(ActionError) -> UpstreamEffect {
        try await apply(FakeUpstream.code, newPassword: newPassword, for: FakeUpstream.caller)
    }

    /// The error of inspecting a code.
    func lookFailing() async -> ActionError? {
        do throws(ActionError) {
            _ = try await look()
            return nil
        } catch { return error }
    }

    func applyFailing() async -> ActionError? {
        do throws(ActionError) {
            _ = try await apply()
            return nil
        } catch { return error }
    }
}

extension ActionError {
    var unavailable: Unavailable? { if case .unavailable(let down) = self { down } else { nil } }

    var detail: String? { if case .refused(_, let detail) = self { detail } else { nil } }
}
