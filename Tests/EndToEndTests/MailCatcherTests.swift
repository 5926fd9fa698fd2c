import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing))) struct `A mail catcher` {
        @Test func `gets each mail of the inbox of onward dev, which works without it as well`() async throws {
            let folder = try TemporaryFolder()
            let relay = try await MailRelay()
            defer { relay.program.signal(SIGKILL) }
            let onward = try await DevServer(in: folder, "--relay", "smtp://127.0.0.1:\(relay.port)")
            defer { onward.program.signal(SIGKILL) }
            let api = API(origin: onward.origin)
            let account = try await api.signUp()
            try await api.get("sendOobCode", ["requestType": "PASSWORD_RESET", "email": .text(account.email)])
            let shown = try await api.mail("resetPassword", to: account.email)
            var caught = try await relay.next()
            // The mails of the sample accounts are sent before.
            while caught.recipient != account.email { caught = try await relay.next() }
            #expect(caught.messageID.hasPrefix("<\(shown.id)@"))
            #expect(try await api.isAlive(shown.code))

            relay.program.signal(SIGKILL)
            _ = await relay.program.status
            try await api.get(
                "sendOobCode",
                ["requestType": "EMAIL_SIGNIN", "email": .text(account.email), "continueUrl": "http://localhost:3000/"])
            #expect(try await api.mail("signIn", to: account.email).link != nil)
            #expect(await onward.stop() == 0)
        }
    }
}
