@testable import Accounts
import Base
import Foundation
@testable import Web

private let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
private let receipts = Receipts(secrets: secrets, now: { Timestamp(seconds: 1_800_000_000) })
private let link = ActionLink(action: .verifyEmail, code: OobCode(String(repeating: "A", count: 43))!, apiKey: "key")
private let formTokens = FormTokens(secrets: secrets, now: { Timestamp(seconds: 1_800_000_000) }, random: { [UInt8](repeating: 1, count: $0) })

/// The texts that Onward's pages hand to browsers and get back: no other text opens, and whatever
/// was sealed is read as a receipt or not at all (P1, P12).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    precondition(receipts.open(text) == nil && !receipts.isTooOld(text), "a forged receipt opens")
    do throws(FormTokens.Objection) {
        _ = try formTokens.page(of: text, for: .redeem, of: link)
        preconditionFailure("a forged form token is accepted")
    } catch {}
    let sealed = Base64URL.encode(secrets.seal(bytes, for: .receipt))
    guard let receipt = receipts.open(sealed) else { return 0 }
    guard let again = try? JSONEncoder().encode(receipt), let reopened = receipts.open(Base64URL.encode(secrets.seal(Array(again), for: .receipt)))
    else { preconditionFailure("a receipt does not open again: \(text)") }
    precondition(reopened == receipt, text)
    return 0
}
