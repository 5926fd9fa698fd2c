import Accounts
import EmailActions
import Testing
import World

/// That `body` is refused with this code, whatever the sentence beside it.
func expectRefused<T>(_ expected: Refusal, sourceLocation: SourceLocation = #_sourceLocation, by body: () async throws -> T) async {
    do {
        _ = try await body()
        Issue.record("was not refused", sourceLocation: sourceLocation)
    } catch ActionError.refused(let refusal, _) {
        #expect(refusal == expected, sourceLocation: sourceLocation)
    } catch { Issue.record(error, sourceLocation: sourceLocation) }
}

extension World {
    /// The account `ada@app.example` with a live code of this action.
    func issue(_ action: Action, settings: ActionCodeSettings = ActionCodeSettings()) async throws -> OobCode {
        try await account("ada@app.example") { $0.passwordHash = "$scrypt$" }
        return try #require(try await send(action, settings: settings))
    }

    /// Another code for that account; for actions that nobody can ask for, what leads to them.
    func send(_ action: Action, settings: ActionCodeSettings = ActionCodeSettings()) async throws -> OobCode? {
        let ada = AccountID(rawValue: "ada")
        switch action {
        case .recoverEmail:
            var change = AccountChange()
            change.email = EmailAddress("intruder@app.example")
            _ = try await actions.update(ada, with: change, in: project)
        case .revertSecondFactorAddition:
            let factor = SecondFactor(id: "phone-1", kind: .phone, phoneNumber: "+15550100", enrolledAt: clock.now())
            try await actions.add(factor, to: ada, in: project)
        default:
            var request = CodeRequest(action, for: action == .resetPassword || action == .signIn ? .address(.ada) : .account(ada))
            request.newEmail = action == .verifyAndChangeEmail ? EmailAddress("new@app.example") : nil
            request.settings = settings
            return try await actions.send(request, in: project)?.code
        }
        return try await mailedCode(action)
    }

    /// The code in the newest mail of this action.
    func mailedCode(_ action: Action) async throws -> OobCode? {
        let link = try await mails().first { $0.kind.rawValue == action.rawValue }?.words.link
        return link?.split(separator: "oobCode=").last.flatMap { OobCode(String($0.prefix(43))) }
    }
}

extension EmailAddress {
    static let ada = EmailAddress("ada@app.example")!
}
