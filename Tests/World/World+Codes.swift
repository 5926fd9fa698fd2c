package import Accounts
package import Base

extension OobCode {
    /// A well-formed code that Onward did not issue.
    package init(random: RandomBytes) { self.init(Base64URL.encode(random(32)))! }
}

extension World {
    /// The account `ada@app.example` with a live code of this action. Its address is verified where
    /// the action needs that.
    package func issue(_ action: Action, settings: ActionCodeSettings = ActionCodeSettings()) async throws -> OobCode {
        try await account("ada@app.example") {
            ($0.passwordHash, $0.emailVerified) = ("$scrypt$", action.isUndo || action == .verifyAndChangeEmail)
        }
        guard let code = try await send(action, settings: settings) else { throw NothingSent() }
        return code
    }

    /// Issues another code for that account. Codes that no API call requests come from the change
    /// that they undo.
    package func send(_ action: Action, settings: ActionCodeSettings = ActionCodeSettings()) async throws -> OobCode? {
        let ada = AccountID(rawValue: "ada")
        switch action {
        case .recoverEmail:
            var change = AccountChange()
            change.email = EmailAddress("intruder@app.example")
            _ = try await self.change(change)
        case .revertSecondFactorAddition:
            let factor = SecondFactor(id: "phone-1", kind: .phone, phoneNumber: "+15550100", enrolledAt: clock.now())
            guard let account = try await stored(ada) else { throw NothingSent() }
            try await accounts.enroll(factor, for: account, in: project)
        default:
            let needsAddress = action == .resetPassword || action == .signIn
            let account = needsAddress ? nil : try await stored(ada)
            var request = CodeRequest(
                action, for: account.map { .account($0) } ?? .address(.ada), with: try ApprovedSettings(settings, in: project))
            request.newEmail = action.setsNewAddress ? EmailAddress("new@app.example") : nil
            return try await accounts.send(request)?.code
        }
        return try await mailedCode(action)
    }

    /// Gives the account `ada` another address, which it proves.
    package func moveProved(to address: String) async throws {
        guard let now = try await stored(AccountID(rawValue: "ada")) else { throw NothingSent() }
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(now), with: ApprovedSettings(in: project))
        request.newEmail = EmailAddress(address)
        guard let code = try await accounts.send(request)?.code else { throw NothingSent() }
        _ = try await accounts.redeem(try await accounts.inspect(code, in: project).pending())
    }

    /// Changes the account `ada` as its own client does.
    package func change(_ change: AccountChange, byAdmin: Bool = false) async throws -> Account {
        guard let now = try await stored(AccountID(rawValue: "ada")) else { throw NothingSent() }
        return try await accounts.update(now, with: change, byAdmin: byAdmin, in: project).account
    }

    /// The code in the newest mail of this action.
    package func mailedCode(_ action: Action) async throws -> OobCode? {
        let link = try await mails().first { $0.kind.action == action }?.link
        return link?.split(separator: "oobCode=").last.flatMap { OobCode(String($0.prefix(43))) }
    }
}

extension EmailAddress {
    package static let ada = EmailAddress("ada@app.example")!
}

/// A test requested a link, and none was issued.
package struct NothingSent: Error {
    package init() {}
}
