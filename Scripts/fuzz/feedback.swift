import Accounts
import Base
import Cryptography
import Dispatch
@testable import Mail

private let now = Timestamp(seconds: 1_800_000_000)
private let credentials = FeedbackSettings.Credentials(user: "u", password: "p")
private let key = WebhookKey("whsec_" + "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")!
private let mailgun = HMACKey(Array("k".utf8), .sha256)

/// The bodies of mail providers, as their own signatures prove them, and without a proof: they are
/// reports about mailboxes, or refused (M10). The first byte chooses the provider.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    func read(_ source: any FeedbackSource, _ provider: FeedbackProvider, _ fields: [String: String], _ body: [UInt8]) {
        let request = FeedbackRequest(from: provider, about: ProjectID(rawValue: "shop"), field: { fields[$0] }, body: body)
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = try? await source.message(in: request, at: now)
            done.signal()
        }
        done.wait()
    }
    switch start[0] % 5 {
    case 0: read(PostmarkFeedback(credentials: credentials), .postmark, ["authorization": "Basic dTpw"], body)
    case 1:
        let fields = [
            "webhook-id": "1", "webhook-timestamp": "1800000000", "webhook-signature": "v1,\(key.signature(of: body, id: "1", at: now.seconds))",
        ]
        read(PlainFeedback(key: key), .plain, fields, body)
    case 2:
        let digits = Array("0123456789abcdef")
        let signature = String(mailgun.authenticate(Array("1800000000t".utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        let head = "{\"signature\":{\"timestamp\":\"1800000000\",\"token\":\"t\",\"signature\":\"\(signature)\"},\"event-data\":"
        read(MailgunFeedback(signingKey: "k"), .mailgun, [:], Array(head.utf8) + body + Array("}".utf8))
    case 3: if let json = try? JSON(body), let message = SNSMessage(json) { precondition(!message.text.isEmpty) }
    default: read(MailgunFeedback(signingKey: "k"), .mailgun, [:], body)
    }
    return 0
}
