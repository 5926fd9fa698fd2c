import Base
import HTTPTypes
import Network
import Testing
import World
@testable import Mail
@testable import Accounts

/// J8: the webhook gets each message signed, over https.
@Suite struct `The webhook for text messages` {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// A message with a code, as it is stored in a world.
    private func message(_ world: World) async throws -> TextMessage {
        let number = try #require(PhoneNumber("+4915112345678"))
        let issued = try await world.accounts(signedWith: nil).issueVerificationCode(
            to: number, for: .signIn, fixed: "123456", in: world.project.id)
        return TextMessage(
            issued, id: "text-1", text: "123456 is your verification code for Shop.", language: "en", in: world.project.id,
            at: world.clock.now())
    }

    private func settings(_ url: WebURL) -> TextMessageSettings {
        TextMessageSettings(webhook: .init(url: url, secret: Self.secret), callingCodes: ["+49"])
    }

    private func webhooks(_ world: World) -> TextMessageWebhooks {
        var limits = TextMessageWebhooks.limits
        (limits.connect, limits.total) = (.patience, .patience)
        return TextMessageWebhooks(limits: limits, now: world.clock.now, logger: .silent)
    }

    @Test func `gets the number, the text and the code, signed, and not the client's secret`() async throws {
        let (world, receiver) = (try await World(), try await WebhookReceiver([204]))
        let message = try await message(world)
        try await webhooks(world).send(message, by: settings(receiver.url))
        let request = try #require(receiver.all.first)
        let data = try #require(try JSON(request.body)["data"])
        let expected = [
            "id": "text-1", "project": "shop", "to": "+4915112345678", "text": "123456 is your verification code for Shop.",
            "code": "123456", "language": "en", "expiresAt": message.expiresAt.iso8601,
        ]
        for (name, value) in expected { #expect(data[name]?.string == value, "\(name)") }
        #expect(!String(decoding: request.body, as: UTF8.self).contains(message.sessionInfo))
        let signed = try WebhookSettings(url: receiver.url, secret: Self.secret)
            .request(request.body, id: "text-1", at: world.clock.now())
        for field in signed.fields where field.hasPrefix("webhook-") {
            let parts = field.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(" ") }
            #expect(request.fields[try #require(HTTPField.Name(String(parts[0])))] == String(parts[1]))
        }
        await receiver.stop()
    }

    @Test(arguments: [
        (200, nil), (202, nil), (422, "INVALID_PHONE_NUMBER"), (400, "down"), (401, "down"), (429, "down"), (302, "down"), (500, "down"),
    ])
    func `says whether the message was taken`(_ status: Int, _ refusal: String?) async throws {
        let (world, receiver) = (try await World(), try await WebhookReceiver([status]))
        let message = try await message(world)
        do throws(ActionError) {
            try await webhooks(world).send(message, by: settings(receiver.url))
            #expect(refusal == nil)
        } catch {
            #expect((error.refusal?.rawValue ?? "down") == refusal)
            #expect(!error.cause.contains("123456") && !error.cause.contains("4915112345678"))
        }
        await receiver.stop()
    }

    @Test func `that does not answer is down`() async throws {
        let (world, receiver) = (try await World(), try await WebhookReceiver([200]))
        await receiver.stop()
        await #expect(throws: ActionError.self) { try await webhooks(world).send(try await message(world), by: settings(receiver.url)) }
    }
}
