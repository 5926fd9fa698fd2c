/// Any text: an address is plain ASCII, reads as itself, and can neither end a header of a mail nor
/// be another's (B7, M6).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let address = EmailAddress(text) else { return 0 }
    let bytes = address.value.utf8
    precondition(bytes.count <= 254 && bytes.count == text.utf8.count, text)
    precondition(bytes.allSatisfy { 0x21...0x7E ~= $0 && !#""(),:;<>[\]"#.utf8.contains($0) && !(0x41...0x5A ~= $0) }, text)
    precondition(bytes.count { $0 == UInt8(ascii: "@") } == 1, text)
    precondition(EmailAddress(address.value) == address, text)
    return 0
}
