@testable import Accounts
import Base

private let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
private let others = Secrets(root: [UInt8](repeating: 8, count: 32), previous: [UInt8](repeating: 7, count: 32))

/// Sealed values: whatever is sealed opens, for its purpose only; with one bit changed it does not,
/// and bytes that were not sealed never do (K1, C2). The first three bytes choose the bit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for purpose in [Secrets.KeyPurpose.mail, .signingKey, .receipt] {
        precondition((try? secrets.open(bytes, for: purpose)) == nil, "bytes open that were not sealed")
        precondition((try? others.open(bytes, for: purpose)) == nil, "bytes open that were not sealed")
        _ = Secrets(digestKeys: bytes, by: secrets, number: 3)
    }
    guard count > 3 else { return 0 }
    let plain = Array(bytes.dropFirst(3))
    var sealed = secrets.seal(plain, for: .mail)
    precondition((try? secrets.open(sealed, for: .mail)) == plain)
    precondition((try? secrets.open(sealed, for: .receipt)) == nil, "another purpose opens it")
    let place = (Int(bytes[0]) << 8 | Int(bytes[1])) % sealed.count
    sealed[place] ^= 1 << (bytes[2] & 7)
    precondition((try? secrets.open(sealed, for: .mail)) == nil, "a changed value opens")
    return 0
}
