@testable import Accounts
import Base
import Foundation

private let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
private let project = ProjectID(rawValue: "shop")

/// Tokens of clients: ID tokens, refresh tokens, codes, custom tokens and the credentials
/// of a pending sign-in. What is read as an ID token is written as one that reads the same; nothing
/// that was not sealed opens (T1, T2).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    // With the parts in base64url, which a fuzzer does not guess.
    let encoded = text.split(separator: "|", omittingEmptySubsequences: false).map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    for text in [text, encoded] {
        if let compact = CompactToken(text), let token = IDToken(compact) {
            precondition(token.sub.utf8.count <= CompactToken.maxBytes)
            guard let written = try? CompactToken.text(token, header: CompactToken.Header(alg: .none)), let again = CompactToken(written).flatMap(IDToken.init)
            else { preconditionFailure("a token is not read again: \(text)") }
            precondition((again.iss, again.aud, again.sub, again.exp) == (token.iss, token.aud, token.sub, token.exp))
        }
        _ = try? CustomToken(unsigned: text)
        _ = RefreshToken(text, in: project, by: secrets)
        if let code = OobCode(text) { precondition(OobCode(code.text) == code && code.text.utf8.count == 43) }
        precondition(secrets.opened(text, as: PendingSignIn.self, for: .pendingSignIn) == nil, "a forged sign-in opens")
    }
    return 0
}
