import Accounts
import Base
import Store

/// An authenticator app with a key that all tests share.
package struct AuthenticatorApp: Sendable {
    package static let key = Array("12345678901234567890".utf8)

    package let clock: TestClock

    package init(clock: TestClock) { self.clock = clock }

    /// The key of an app that a user added by hand. Source: RFC 4648 section 6.
    package static func key(ofBase32 text: String) throws -> [UInt8] {
        struct Invalid: Error {}
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = try text.flatMap { letter in
            guard let value = letters.firstIndex(of: letter) else { throw Invalid() }
            return (0..<5).map { UInt8(value >> (4 - $0) & 1) }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in bits[start..<start + 8].reduce(0) { $0 << 1 | $1 } }
    }

    /// The code that the app shows now.
    package var code: String { code(atStep: 0) }

    /// The code of a time step from now.
    package func code(atStep steps: Int64) -> String {
        TOTP(key: Self.key).password(at: clock.now() + .milliseconds(steps * TOTP.period.milliseconds))
    }

    /// A code that is wrong now and for the next hour.
    package var wrongCode: String {
        let right = Set((-2...122).map { code(atStep: $0) })
        return (0...).lazy.map { String(String($0 + 1_000_000).suffix(6)) }.first { !right.contains($0) } ?? ""
    }
}

extension World {
    /// Enrols an authenticator app as a second factor of an account.
    @discardableResult
    package func enrollApp(for account: String, factor id: String = "app") async throws -> AuthenticatorApp {
        let (project, now) = (project.id, clock.now())
        let sealed = secrets.seal(AuthenticatorApp.key, for: .secondFactor)
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(
                SecondFactor(id: id, kind: .totp, displayName: "App", sealedKey: sealed, enrolledAt: now),
                of: AccountID(rawValue: account), in: project, byAdmin: false)
        }
        return AuthenticatorApp(clock: clock)
    }
}
